"""What findings mean, and what to do about them."""

from core.doctor.flag_words import words_of_flag

_NOTHING_FOUND = {
    "random_labeling": "Nothing was found, but that is no all-clear: sorts of positives that were "
    "never labeled are overlooked more often than not. The documents that the model accepts look "
    "like the positives; read some of them anyway.",
    "odd_positives": "Each positive resembles the others more than most of the pile does.",
    "foreign_positives": "The positives have words in common with the pile.",
    "isolated_positives": "Each positive has a word of the pile.",
    "own_words": "Words that many positives share are in the pile as well.",
    "missing_vectors": "All documents have a vector.",
    "contradicting_labels": "No judged negative says the same as a positive.",
    "unlabeled_copies": "No unlabeled document says the same as a positive.",
    "repeated_positives": "No positive says the same as another.",
    "few_positives": "There are enough positives to estimate something from them.",
    "equal_scores": "The scores tell the unlabeled documents apart.",
    "no_features": "Some unlabeled documents have words that are counted.",
    "no_better_than_chance": "Positives that were hidden from the algorithm rank higher than "
    "chance alone would place them.",
    "accepts_too_many": "The model accepts no more documents than the class prior allows.",
    "prior_above_admissible": "Nothing in the positives speaks clearly against the class prior.",
    "estimate_at_bound": "The class prior leaves both positives and negatives.",
    "prior_uncertain": "The ends of the class prior are no further apart than usual.",
}
_FOUND = {
    "random_labeling": "The documents that the model accepts differ from the positives by more "
    "than chance explains. Some sorts of positives may never have been labeled, or the model "
    "accepts documents of another kind. Read the documents listed. Label those that are of the "
    "kind and judge the others negative, then train again. Until then, class priors and recalls "
    "may be far off.",
    "odd_positives": "The positives listed resemble the others less than most of the pile does. "
    "Read them: take back the label where it is wrong; where it is right, label more like them.",
    "foreign_positives": "Hardly any word of the positives occurs in another document. They may be "
    "in another language or belong to another pile. Then class prior, probabilities and precision "
    "say nothing about this pile. Check that you uploaded what you meant to, and add positives in "
    "the words of the pile.",
    "own_words": "Half of the positives or more share words that no other document has. If they "
    "tell where the positives come from, such as a footer or the name of a source, class prior, "
    "cut and probabilities are far too small: name them as extra_stop_words of the vectorizer, or "
    "take them out of the texts, and train again. If they are what you look for, nothing of the "
    "kind seems to be in the pile.",
    "isolated_positives": "No document besides positives has a word of those listed, or no word "
    "of theirs counts, as function words do not. So they tell nothing: look for typing errors. "
    "Texts without blanks between words, as in Thai, need n-grams of characters: train with the "
    "vectorizer analyzer=char_wb, ngram_range=[2, 4]. "
    "Take back the label where it is wrong; where it is right, label others, too.",
    "missing_vectors": "The documents listed have no vector, or one of another length than most. "
    "They are compared by their words alone, and to have a vector or not may decide where they "
    "rank. Send them again with vectors of the same model, or delete those that have one and send "
    "them without.",
    "contradicting_labels": "The judged negatives listed say the same as a positive, or nearly so. "
    "Read both and correct one.",
    "unlabeled_copies": "The unlabeled documents listed say the same as a positive, or nearly so. "
    "Read them, and label those that are of the kind: texts filled into one form may differ in the "
    "very word that tells.",
    "repeated_positives": "The positives listed say the same as another one, or nearly so, so "
    "fewer of them are different than were counted. They do no harm, and count once where "
    "positives are hidden. Label others, too.",
    "few_positives": "With fewer than ten positives, the cut, the probabilities and the expected "
    "figures are little more than guesses, often far too high where what you look for is rare. "
    "With one positive there is nothing to guess from. Go by the ends of the figures, if there are "
    "any. Read the ranking from the top, and label the positives you find. A few words that name "
    "what you look for, added as one more positive, can make the ranking better.",
    "accepts_too_many": "The model accepts more documents than even the upper end of the class "
    "prior allows, so many of them are not positive. Train again with the cut prior, which accepts "
    "as many as the class prior says.",
    "prior_above_admissible": "The estimated class prior is larger than the positives allow, "
    "whatever the negatives look like. So probabilities, cuts and precision promise too much. "
    "Check that the positives are of the kind you look for, and label more.",
    "estimate_at_bound": "The estimated class prior is at the edge of what is possible, one "
    "positive or one negative: nothing was learned. Label more positives, or give class_prior.",
    "prior_uncertain": "Nobody can say from these positives how many are hidden: the ends of the "
    "class prior are more than a factor of ten apart. How many documents the model accepts is a "
    "guess, and so are probabilities and precision. Read the ranking from the top and label the "
    "positives you find, or give class_prior.",
    "equal_scores": "Nearly all unlabeled documents have the same score, so their order means "
    "nothing. Add positives, or train another algorithm.",
    "no_features": "No unlabeled document has a word that is counted, so there is nothing to rank. "
    "Check that stop_words, extra_stop_words, min_df, max_df and max_features leave words in, or "
    "add documents with words. For Chinese, Japanese or Korean set the vectorizer's cjk to "
    "bigrams.",
    "no_better_than_chance": "Positives that were hidden from the algorithm rank no higher than "
    "documents drawn at random might. Either a third of the pile or more is of the kind, or the "
    "ranking knows nothing. Read its first twenty. If nearly all are of the kind, it is good, but "
    "how many to accept is a guess. If not, do not rely on ranking, probabilities or cut: check "
    "that the positives are of the kind you look for and have words in common, label more of them, "
    "or train another algorithm.",
}
_GIVEN = {
    "prior_above_admissible": "The class prior that you gave is larger than the positives allow, "
    "whatever the negatives look like. So what rests on it promises too much. "
    "Check it: it is the share of positives among the unlabeled documents. One with half more "
    "positives than these allow, or a third fewer negatives, gets no probabilities.",
    "estimate_at_bound": "The class prior that you gave leaves less than one positive or one "
    "negative, so it was moved to leave one. Give the share of positives among the unlabeled "
    "documents.",
}
_MOSTLY_POSITIVE = (
    " Where most of the pile is of the kind, positives must rank like that, and the ranking may be "
    "good all the same. Give class_prior only if you know it. To find what does not belong, train "
    "knn_density and read the end of its ranking."
)
_NOT_MADE = {
    "too_few_positives": "There are too few positives for this check. Label more.",
    "too_few_accepted": "The model accepts too few different documents for this check. Read the "
    "ranking from the top.",
    "too_few_unlabeled": "There are too few unlabeled documents for this check. Add some.",
    "nothing_hidden": "No positive was hidden for this check. Train with calibrate true, at least "
    "two different positives, and unlabeled documents.",
    "mostly_positive": "Positives rank anywhere in the pile, some share no word with it, nearly "
    "all of it is accepted, or much of it says the same as a positive. Where most of the pile is "
    "of the kind that must be so, and this check says nothing. Then look for what does not belong "
    "at the end of the ranking of knn_density or lgn. Where few documents are of the kind, do not "
    "rely on ranking or cut.",
    "no_bound": "One number that this check needs is not known: how many positives the pile can "
    "hold at most.",
    "no_class_prior": "There is no class prior for this check. Label more positives, or give "
    "class_prior.",
}
#: By what it is found that positives rank anywhere in the pile.
_OF_THE_PILE = {"no_better_than_chance": {"caution", "warning"}, "odd_positives": {"warning"}}


def is_of_the_pile(finding):
    """Return whether a finding is that positives rank anywhere in the pile.

    Where most of the pile is of the kind, they must.

    Examples
    --------
    >>> from core.doctor.finding import Finding
    >>> from core.doctor.words import is_of_the_pile
    >>> [is_of_the_pile(Finding("odd_positives", level)) for level in ("caution", "warning")]
    [False, True]
    """
    return finding.level in _OF_THE_PILE.get(finding.code, ())


def words_of(finding):
    """Return what a finding means, and what to do next where something is to be done.

    Parameters
    ----------
    finding : Finding

    Returns
    -------
    str
    """
    if finding.reason is not None:
        return _NOT_MADE[finding.reason]
    if finding.level == "fine":
        return _NOTHING_FOUND[finding.code]
    found = _FOUND | _GIVEN if finding.numbers.get("is_given") else _FOUND
    told = found.get(finding.code) or words_of_flag(finding.code)
    if finding.numbers.get("terms"):
        told += f" They are: {', '.join(finding.numbers['terms'])}."
    return told + _MOSTLY_POSITIVE if is_of_the_pile(finding) else told
