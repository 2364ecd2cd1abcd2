"""What is refused for want of samples or packages: each a ValueError with a stable ``code``."""


class NoPositives(ValueError):
    """There is no labeled positive with a feature."""

    code = "no_positives"


class NoUnlabeled(ValueError):
    """There is no unlabeled sample to compare the positives with."""

    code = "no_unlabeled"


class OneClass(ValueError):
    """All labels are the same, and nothing says which class that is."""

    code = "one_class"


class TooFewPositives(ValueError):
    """A method splits the labeled positives, and there are not enough of them."""

    code = "too_few_positives"


class MissingPackage(ValueError):
    """A method needs a package that is not installed."""

    code = "missing_package"
