// Advice of the service, which names routes and fields, in words of the page.

const RANK_NEW = "by “Rank what came in since” under Ranking";

// The order matters: what is told of several routes at once stands before what is told of each.
const WORDS = [
  [
    /every positive sample is empty.+/g,
    "No word of the examples counts: function words, single letters and words that you leave out do not. Add other examples.",
  ],
  [/^\/name: It/g, "The name"],
  [/^\/texts\/0: /g, ""],
  [/Sign in with a name .+/g, "You are signed in no more. Load the page again."],
  [
    /To label documents that are there, send PUT \/projects\/\S+\/labels; for the command, take /g,
    "The page reads no file of labels: set them under Ranking, or take the command ",
  ],
  [
    /Expected a list of documents or texts, .+? send one document per line as [^.]+/g,
    'A .json file holds a list of texts, ["…", "…"], or of documents, [{"id": "1", "text": "…"}]. With a document a line, end its name in .ndjson',
  ],
  [
    /Send an Excel workbook as \S+; for the command, end the file name in/g,
    "End the name of an Excel workbook in",
  ],
  [/Send it as \S+; for the command, end the file name in/g, "End its name in"],
  [/(looks like references, in .+?: )send them as \S+; for the command, /g, "$1"],
  [
    /send language=\w+ with PATCH [^;]+; for the command, [^.]+/g,
    "change the project's language under “Change or delete the project”",
  ],
  [/; for the command, .+?(?=\.(?: |$))/g, ""],
  [/Send (?:text|id)_column=NAME\b/g, "Name it under “Columns and encoding”"],
  [/send (?:text|id)_column=NAME\b/g, "name it under “Columns and encoding”"],
  [
    /send id_column=(.+?) \(seedbed upload .+?\)(?=, into)/g,
    "name it under “Columns and encoding” ($1)",
  ],
  [/Send delimiter=(\w+)/g, "Choose “$1” under “Columns and encoding”"],
  [/Send NDJSON as \S+, a list as [^.]+/g, "End the name of the file in .ndjson or .json"],
  [/, or convert it[^.]+/g, ", or name its encoding under “Columns and encoding”"],
  [/send it with the header Content-Encoding: \w+/g, "end the name of the file in .gz or .zst"],
  [
    /Send what is not compressed without [^.]+/g,
    "If it is not packed, take .gz or .zst off its name",
  ],
  [/, or send on_conflict=error to refuse such rows/g, ""],
  [/ To send labels that you wrote into it, use .+?\/labels\./g, ""],
  [/send the label (\w+) to PUT \/projects\/\w+\/labels/g, "set it to $1 under Ranking"],
  [
    /Read what GET \/projects\/\w+\/next gives and send the labels with PUT \/projects\/\w+\/labels; /g,
    "Judge what you are asked; ",
  ],
  [/ (?:with|by) POST \/projects\/\w+\/(?:positives|unlabeled)/g, " under Documents"],
  [/ (?:with|by) POST \/train/g, ""],
  [/make it anew with POST \/models\/ID\/ranking/g, "press “Rank anew” below"],
  [/ (?:with|by) POST \/models\/\w+\/ranking/g, ` ${RANK_NEW}`],
  [/ with GET \/projects\/\w+\/next/g, " under Review"],
  [/ with PUT \/projects\/\w+\/champion, or give model_id/g, " under Model"],
  [/GET \/(?:projects\/\w+\/review|review of the project)/g, "Review"],
  [/GET \/documents of the project lists them with \?label=unsure/g, "Ranking shows them"],
  [/ GET \/\S+ lists (?:all|those it has)\./g, " It may have been deleted."],
  [/ or take one that GET \/\S+ lists/g, " or take one that is there"],
  [/\b(The (?:JSON )?|the (?:gzip|zstd) )body\b/g, "$1file"],
  [/\bclass_prior\b/g, "the share of positives"],
  [
    /name them as extra_stop_words of the vectorizer, or/g,
    "choose them under “Words for” and leave them out, or",
  ],
  // The page sets no other parameter of the vectorizer but by the language.
  [
    /(c)heck that stop_words, extra_stop_words, min_df, max_df and max_features leave (?:those )?words in/gi,
    "$1heck the language of the project, whose function words are left out, and the words that you leave out",
  ],
  [/ For Chinese, Japanese or Korean set the vectorizer's cjk to bigrams\./g, ""],
  [
    /train with the vectorizer analyzer=char_wb, ngram_range=\[2, 4\]/g,
    "train with seedbed train --vectorizer analyzer=char_wb --vectorizer 'ngram_range=[2, 4]'",
  ],
];

const REASONS = {
  accepts_all: "to accept all would be best",
  found_by_reading: "most positives were found by reading, and too little was judged",
  more_found_than_estimated: "more was found than was to be expected",
  no_features: "no other document has a counted word",
  not_asked: "the training had no calibration",
  nothing_predicted: "it accepts nothing",
  nothing_shared: "no other document has a word of the positives",
  too_few_positives: "too few different positives",
};

/** Return a reason in words: some are codes, others messages already. */
export const reasonInWords = (reason) =>
  REASONS[reason] ?? (/^[a-z]+(_[a-z]+)+$/.test(reason) ? reason.replaceAll("_", " ") : reason);

/** Return in words why a rule gives no cut. */
export const whyNoCut = (reason) =>
  reason === "found_by_reading"
    ? "most positives were found by reading, and the cut for that is prior"
    : reasonInWords(reason);

/** Return what the service says, with parts of the page for its routes and fields. */
export function inPage(message) {
  return WORDS.reduce((told, [route, words]) => told.replaceAll(route, words), message);
}
