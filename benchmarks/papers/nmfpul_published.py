"""Published numbers: tables 3 to 11 of the NMFPUL paper, and the results of the LP-PUL study.

Nunes, Faleiros and Rossi, "Positive unlabeled learning: adapting NMF for text classification",
ENIAC 2023. Carnevali, Rossi, Milios and Lopes, "A graph-based approach for positive and unlabeled
learning", Information Sciences 580, 2021, and its public result files.

Every row is for 1, 5, 10, 20 and 30 labeled documents.
"""

#: Collection -> number of the table, method -> F1. That of NMFPUL is the mean of micro, macro and
#: weighted F1; those of the others are F1 of the positive class, taken from the LP-PUL study.
NMFPUL_TABLES: dict[str, tuple[int, dict[str, list[float]]]] = {
    "cstr": (
        3,
        {
            "k-Means": [0.49, 0.61, 0.68, 0.65, 0.51],
            "PU-LP": [0.55, 0.74, 0.78, 0.7, 0.69],
            "RC-SVM": [0.02, 0.12, 0.29, 0.52, 0.39],
            "LP-PUL": [0.61, 0.69, 0.77, 0.79, 0.8],
            "NMFPUL": [0.632, 0.679, 0.715, 0.735, 0.741],
        },
    ),
    "syskillwebert": (
        10,
        {
            "k-Means": [0.51, 0.73, 0.71, 0.8, 0.81],
            "PU-LP": [0.58, 0.68, 0.82, 0.73, 0.7],
            "RC-SVM": [0.4, 0.39, 0.37, 0.34, 0.3],
            "LP-PUL": [0.69, 0.8, 0.88, 0.9, 0.89],
            "NMFPUL": [0.613, 0.633, 0.647, 0.67, 0.688],
        },
    ),
    "oh0": (
        4,
        {
            "k-Means": [0.42, 0.61, 0.68, 0.71, 0.69],
            "PU-LP": [0.28, 0.54, 0.61, 0.6, 0.59],
            "RC-SVM": [0.01, 0.19, 0.37, 0.5, 0.59],
            "LP-PUL": [0.51, 0.67, 0.7, 0.73, 0.71],
            "NMFPUL": [0.707, 0.726, 0.744, 0.761, 0.771],
        },
    ),
    "oh15": (
        5,
        {
            "k-Means": [0.38, 0.53, 0.6, 0.63, 0.65],
            "PU-LP": [0.25, 0.51, 0.52, 0.57, 0.51],
            "RC-SVM": [0.01, 0.1, 0.26, 0.43, 0.53],
            "LP-PUL": [0.41, 0.56, 0.6, 0.63, 0.65],
            "NMFPUL": [0.717, 0.729, 0.725, 0.726, 0.729],
        },
    ),
    "fbis": (
        6,
        {
            "k-Means": [0.4, 0.5, 0.53, 0.52, 0.51],
            "PU-LP": [0.24, 0.44, 0.48, 0.42, 0.39],
            "RC-SVM": [0.12, 0.43, 0.51, 0.56, 0.58],
            "LP-PUL": [0.41, 0.51, 0.53, 0.52, 0.5],
            "NMFPUL": [0.74, 0.74, 0.741, 0.745, 0.746],
        },
    ),
    "re0": (
        7,
        {
            "k-Means": [0.4, 0.53, 0.59, 0.39, 0.41],
            "PU-LP": [0.28, 0.45, 0.45, 0.39, 0.36],
            "RC-SVM": [0.12, 0.37, 0.52, 0.39, 0.41],
            "LP-PUL": [0.32, 0.41, 0.45, 0.5, 0.45],
            "NMFPUL": [0.714, 0.722, 0.73, 0.735, 0.74],
        },
    ),
    "re1": (
        8,
        {
            "k-Means": [0.41, 0.59, 0.6, 0.41, 0.37],
            "PU-LP": [0.27, 0.45, 0.5, 0.43, 0.38],
            "RC-SVM": [0.09, 0.23, 0.36, 0.29, 0.31],
            "LP-PUL": [0.39, 0.54, 0.6, 0.7, 0.62],
            "NMFPUL": [0.755, 0.757, 0.762, 0.767, 0.768],
        },
    ),
    "tr11": (
        9,
        {
            "k-Means": [0.5, 0.57, 0.55, 0.41, 0.3],
            "PU-LP": [0.4, 0.49, 0.61, 0.58, 0.7],
            "RC-SVM": [0.07, 0.25, 0.38, 0.34, 0.28],
            "LP-PUL": [0.51, 0.65, 0.7, 0.71, 0.79],
            "NMFPUL": [0.689, 0.699, 0.705, 0.716, 0.727],
        },
    ),
    "wap": (
        11,
        {
            "k-Means": [0.32, 0.46, 0.49, 0.43, 0.4],
            "PU-LP": [0.18, 0.39, 0.41, 0.43, 0.38],
            "RC-SVM": [0.02, 0.14, 0.27, 0.34, 0.41],
            "LP-PUL": [0.33, 0.46, 0.47, 0.55, 0.51],
            "NMFPUL": [0.739, 0.74, 0.745, 0.746, 0.748],
        },
    ),
}

#: Method -> collection -> F1 of the positive class at the best point of its grid: chosen on the
#: true classes, so an upper bound. Where a collection is missing, the number was not recovered.
STUDY_BEST: dict[str, dict[str, list[float]]] = {
    "LP-PUL": {
        "cstr": [0.615, 0.728, 0.808, 0.853, 0.886],
        "syskillwebert": [0.686, 0.815, 0.891, 0.926, 0.936],
        "oh0": [0.524, 0.686, 0.739, 0.807, 0.84],
        "oh15": [0.428, 0.582, 0.66, 0.733, 0.794],
        "fbis": [0.412, 0.543, 0.585, 0.633, 0.679],
        "re0": [0.338, 0.479, 0.586, 0.671, 0.708],
        "re1": [0.4, 0.627, 0.715, 0.794, 0.839],
        "tr11": [0.537, 0.745, 0.821, 0.879, 0.884],
        "wap": [0.349, 0.532, 0.622, 0.746, 0.779],
    },
    "PU-LP": {
        "cstr": [0.565, 0.761, 0.816, 0.808, 0.808],
        "syskillwebert": [0.58, 0.697, 0.851, 0.797, 0.803],
        "oh0": [0.291, 0.578, 0.659, 0.685, 0.694],
        "re0": [0.3, 0.51, 0.554, 0.405, 0.447],
    },
    "RC-SVM": {
        "cstr": [0.014, 0.112, 0.275, 0.54, 0.382],
        "syskillwebert": [0.397, 0.385, 0.37, 0.336, 0.299],
        "oh0": [0.009, 0.173, 0.362, 0.5, 0.576],
    },
    "k-Means": {
        "cstr": [0.475, 0.601, 0.676, 0.656, 0.513],
        "syskillwebert": [0.51, 0.734, 0.728, 0.802, 0.805],
        "oh0": [0.438, 0.602, 0.67, 0.677, 0.701],
    },
    "kNND": {
        "cstr": [0.475, 0.61, 0.674, 0.66, 0.525],
        "syskillwebert": [0.51, 0.73, 0.763, 0.792, 0.809],
    },
    "PE-PUC": {
        "cstr": [0.185, 0.532, 0.652, 0.751, 0.824],
    },
}
