"""What the flags of classifiers mean, and what to do about them."""

#: By flag.
FLAG_WORDS = {
    "unreliable": "The model rejects more than half of your positives. If you chose how many it "
    "accepts, that is why. If not, do not trust its cut: a class prior that you gave may be too "
    "small, or some positives are of another kind than the rest; add more of them.",
    "all_positive": "The model takes every unlabeled document for positive. Read the ranking from "
    "the top and choose the cut yourself, or train another algorithm.",
    "nearly_all_positive": "The model takes nearly every unlabeled document for positive. Unless "
    "nearly all are of the kind, read the ranking from the top and choose the cut yourself, or "
    "train another algorithm.",
    "all_negative": "The model takes no unlabeled document for positive. Read the ranking from the "
    "top and choose the cut yourself, or add positives and train again.",
    "nothing_shared": "No unlabeled document has a word in common with the positives, so the "
    "ranking says nothing. Add positives in the words of the documents you look for, and check "
    "that stop_words, extra_stop_words, min_df, max_df and max_features leave those words in. For "
    "Chinese, Japanese or Korean set the vectorizer's cjk to bigrams.",
    "first_topic_everywhere": "The topic of the positives is the largest in every document, so it "
    "tells none of them apart. Read the ranking from the top and choose the cut yourself, or train "
    "another algorithm.",
    "no_negative_evidence": "The unlabeled documents hardly differ from the positives, so nothing "
    "speaks against any of them. Add unlabeled documents of other kinds, or train another "
    "algorithm.",
    "rn_all": "The algorithm took all unlabeled documents for negative while it learned, so it may "
    "reject most of what you look for; the ranking still holds. Add unlabeled documents, or train "
    "another algorithm.",
    "rn_relaxed": "The algorithm found no unlabeled document that is surely negative and took the "
    "least likely ones instead. Compare its ranking with that of another algorithm.",
    "selection_failed": "No candidate could be told from the others, so the algorithm took its "
    "default. Read the ranking from the top and choose the cut yourself.",
    "prior_too_large": "The class prior is larger than the documents allow. Give a smaller one.",
    "prior_at_bound": "The class prior is not known: its estimate is at the edge of what is "
    "possible. Label more positives, give class_prior if the algorithm has it, or train one that "
    "needs none.",
    "prior_unknown": "Nothing tells the class prior: there is a single positive, or positives "
    "share no word with the pile, or the estimate is at the edge of what is possible. So 0.1 was "
    "taken, or one document where fewer than ten are unlabeled. Label more positives, or give "
    "class_prior.",
    "prior_clamped": "A class prior must leave at least one positive and one negative among the "
    "unlabeled documents, so yours was moved to leave one. Give the share of positives among "
    "them.",
    "all_labeled": "The algorithm believes that nearly all positives are labeled already and found "
    "hardly any hidden one. Compare its ranking with that of another algorithm.",
    "always_in_bag": "Some documents were part of every sample, so their scores are too low. Raise "
    "the number of samples, or add unlabeled documents.",
    "grid_edge": "The best setting found lies at the edge of what was tried; a better one may lie "
    "beyond it.",
    "katz_divergent": "The similarity that the algorithm builds on does not converge at this "
    "setting, as in the published results. Take the default for a sound one.",
    "not_converged": "The algorithm stopped before it settled. Raise max_iter or tol, or give a "
    "smaller C, where the algorithm has them, or compare its ranking with that of another "
    "algorithm.",
    "one_seed": "One positive says little about where to cut. Read the ranking from the top, and "
    "add the positives you find.",
    "outlying_length": "A document or row has values more than a hundred times as large as is "
    "usual, and may decide the ranking alone. Scale the columns, or leave it out.",
    "propensity_too_small": "Some positives had so small a chance of being labeled that it was "
    "raised to keep the result steady.",
    "unbalanced": "Every document weighs the same, whatever its class, so a large pile drowns few "
    "positives. Leave balanced at its default.",
}


def words_of_flag(flag):
    """Return what a flag of a classifier's ``report_`` means, and what to do.

    Parameters
    ----------
    flag : str
        A code.

    Returns
    -------
    str

    Examples
    --------
    >>> from core.doctor.flag_words import words_of_flag
    >>> words_of_flag("prior_too_large")
    'The class prior is larger than the documents allow. Give a smaller one.'
    """
    return FLAG_WORDS.get(flag, f"The algorithm reports: {flag}.")
