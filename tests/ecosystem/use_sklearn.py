"""scikit-learn with array API dispatch: models and scores on arrays of the device."""

import numpy as np
import sklearn
from sklearn import (
    datasets,
    decomposition,
    discriminant_analysis,
    linear_model,
    metrics,
    model_selection,
    preprocessing,
)
from sklearn.cluster import KMeans
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline

X, Y = datasets.make_classification(120, 6, random_state=0)
TARGET = X @ np.arange(6.0)
sklearn.set_config(array_api_dispatch=True)


def standard_scaler(xp):
    return preprocessing.StandardScaler().fit_transform(xp.asarray(X))


def min_max_scaler(xp):
    return preprocessing.MinMaxScaler().fit_transform(xp.asarray(X))


def max_abs_scaler(xp):
    return preprocessing.MaxAbsScaler().fit_transform(xp.asarray(X))


def normalizes(xp):
    return preprocessing.normalize(xp.asarray(X)), preprocessing.Normalizer().fit_transform(xp.asarray(X))


def polynomial_features(xp):
    return preprocessing.PolynomialFeatures().fit_transform(xp.asarray(X))


def binarizes(xp):
    return preprocessing.Binarizer().fit_transform(xp.asarray(X))


def kernel_centerer(xp):
    x = xp.asarray(X[:20])
    return preprocessing.KernelCenterer().fit_transform(x @ x.T)


def principal_components(xp):
    model = decomposition.PCA(3, svd_solver="full").fit(xp.asarray(X))
    return model.explained_variance_, model.transform(xp.asarray(X))


def randomized_components(xp):
    return (
        decomposition.PCA(2, svd_solver="randomized", random_state=0).fit(xp.asarray(X)).explained_variance_
    )


def ridge(xp):
    model = linear_model.Ridge(solver="svd").fit(xp.asarray(X), xp.asarray(TARGET))
    return model.coef_, model.predict(xp.asarray(X))


def discriminant(xp):
    model = discriminant_analysis.LinearDiscriminantAnalysis().fit(xp.asarray(X), xp.asarray(Y))
    return model.predict(xp.asarray(X))


def encodes_labels(xp):
    return preprocessing.LabelEncoder().fit_transform(xp.asarray(Y))


def accuracy(xp):
    return float(metrics.accuracy_score(xp.asarray(Y), xp.asarray(Y[::-1].copy())))


def zero_one(xp):
    return float(metrics.zero_one_loss(xp.asarray(Y), xp.asarray(Y[::-1].copy())))


def r2(xp):
    return float(metrics.r2_score(xp.asarray(TARGET), xp.asarray(TARGET * 1.1)))


def squared_error(xp):
    return float(metrics.mean_squared_error(xp.asarray(TARGET), xp.asarray(TARGET * 1.1)))


def absolute_error(xp):
    return float(metrics.mean_absolute_error(xp.asarray(TARGET), xp.asarray(TARGET * 1.1)))


def f1(xp):
    return float(metrics.f1_score(xp.asarray(Y), xp.asarray(Y[::-1].copy())))


def kernels(xp):
    x = xp.asarray(X)
    return metrics.pairwise.rbf_kernel(x), metrics.pairwise.cosine_similarity(x)


def distances(xp):
    return metrics.pairwise.euclidean_distances(xp.asarray(X[:20]), xp.asarray(X[:5]))


def splits(xp):
    return model_selection.train_test_split(xp.asarray(X), xp.asarray(Y), random_state=0)[0]


def cross_validates(xp):
    model = linear_model.Ridge(solver="svd")
    return model_selection.cross_val_score(model, xp.asarray(X), xp.asarray(TARGET), cv=3)


def pipeline(xp):
    model = make_pipeline(preprocessing.StandardScaler(), decomposition.PCA(2, svd_solver="full"))
    return xp.abs(model.fit_transform(xp.asarray(X)))


def logistic_regression(xp):
    return linear_model.LogisticRegression().fit(xp.asarray(X), xp.asarray(Y)).predict(xp.asarray(X))


def linear_regression(xp):
    return linear_model.LinearRegression().fit(xp.asarray(X), xp.asarray(TARGET)).coef_


def forest(xp):
    model = RandomForestClassifier(5, random_state=0).fit(xp.asarray(X), xp.asarray(Y))
    return model.predict(xp.asarray(X))


def k_means(xp):
    return KMeans(2, n_init=2, random_state=0).fit(xp.asarray(X)).cluster_centers_
