"""Walks drawn by one policy to learn about another, given up early where they say little."""


def walk(probabilities, n_steps, *, threshold, random):
    """Draw a yes or no at each step, and weigh the walk by how probable the target makes it.

    The weight is the product, over the steps, of the probability of what was drawn under the
    target policy over that under the behaviour policy. Once it falls below the threshold, the
    walk is given up with a probability of 1 - weight / threshold, and goes on with the threshold
    for its weight otherwise: means of weighted walks stay those of the target policy.

    Parameters
    ----------
    probabilities : callable
        From the list of what was drawn so far to the probabilities of yes under the target and
        under the behaviour policy, both in [0, 1]. What the target may draw, the behaviour must
        be able to draw too.
    n_steps : int
        Steps of a complete walk.
    threshold : float in [0, inf)
        Weight below which a walk may be given up; 0 gives up none.
    random : numpy.random.Generator
        Source of the draws.

    Returns
    -------
    drawn : list of bool
        What was drawn, as far as the walk went.
    weight : float
        0 if the walk was given up.

    References
    ----------
    J. S. Liu, R. Chen and W. H. Wong, "Rejection control and sequential importance sampling",
    Journal of the American Statistical Association 93, 1998.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.features.rejection_control import walk
    >>> walk(lambda drawn: (1.0, 0.5), 1, threshold=0.5, random=np.random.default_rng(4))
    ([False], 0.0)
    >>> walk(lambda drawn: (1.0, 1.0), 2, threshold=0.5, random=np.random.default_rng(4))
    ([True, True], 1.0)
    """
    drawn, weight = [], 1.0
    for _ in range(n_steps):
        target, behaviour = probabilities(drawn)
        is_yes = bool(random.random() < behaviour)
        drawn.append(is_yes)
        weight *= target / behaviour if is_yes else (1 - target) / (1 - behaviour)
        if weight < threshold:
            if random.random() >= weight / threshold:
                return drawn, 0.0
            weight = threshold
    return drawn, float(weight)
