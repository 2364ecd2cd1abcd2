// How the files of an upload are to be read: named once for all of a form.

import { Problem, nameParts } from "./api.js";
import { details, el, field, select } from "./dom.js";
import { SIGNS } from "./spreadsheet.js";

const DELIMITERS = [
  ["", "comma"],
  ["semicolon", "semicolon"],
  ["tab", "tab"],
  ["pipe", "pipe"],
];
const ENCODINGS = [
  ["", "UTF-8"],
  ["windows-1252", "Windows, Western Europe"],
  ["windows-1250", "Windows, Central Europe"],
  ["windows-1251", "Windows, Cyrillic"],
  ["utf-16", "UTF-16"],
  ["shift_jis", "Shift JIS"],
  ["gb18030", "GB 18030"],
];
const MARKS = { "utf-8": [0xef, 0xbb, 0xbf], "utf-16le": [0xff, 0xfe], "utf-16be": [0xfe, 0xff] };
// Most texts have some of the first; with their bytes exchanged hardly any text has them. Single
// words have some of the others, which exchanged are Chinese characters.
const USUAL = [/[\t\n\r ,;]/g, /[a-z]/g];
const HEAD_BYTES = 2 ** 18;
// What was named last, by where the files went and how their names end.
const kept = new Map();

/** Fields for the columns and the encoding of files; what fitted the last ones is set for the next. */
export class FileColumns {
  constructor(path, files) {
    this.path = path;
    this.files = files;
    const [text, id] = ["text", "id"].map((name) =>
      el("input", { name: `${name}_column`, placeholder: name }),
    );
    const delimiter = select("delimiter", DELIMITERS, "");
    const encoding = select("encoding", ENCODINGS, "");
    this.inputs = [text, id, delimiter, encoding];
    this.told = el("small", { "aria-live": "polite" });
    const fields = details(
      "Columns and encoding",
      field("Text", text, "Several are joined: title, abstract"),
      field("Id", id),
      field("Parted by", delimiter),
      field("Encoding", encoding, "Of a file that is not packed."),
    );
    fields.addEventListener("input", () => {
      // What somebody names for these files is not taken back.
      this.isKept = false;
      this.told.textContent = "";
    });
    this.element = el("div", {}, fields, this.told);
    this.isKept = true;
    this.isSet = Promise.resolve();
    files.addEventListener("change", () => {
      // Of a file that cannot be read the upload tells.
      this.isSet = this.isSet.then(() => this.set()).catch(() => {});
    });
  }

  /** What is named now, by the names of the fields. */
  get values() {
    return Object.fromEntries(this.inputs.map(({ name, value }) => [name, value.trim()]));
  }

  set values(values) {
    for (const one of this.inputs) one.value = values?.[one.name] ?? "";
  }

  /** Set what was named for the last files of this form, unless it does not fit the chosen ones. */
  async set() {
    const files = [...this.files.files];
    if (!this.isKept) return;
    const [ending, ...others] = endings(files);
    const last = others.length ? undefined : kept.get(`${this.path} ${ending}`);
    const reasons = last ? await Promise.all(files.map((file) => whyNot(file, last))) : [];
    // Something may have been named meanwhile.
    if (!this.isKept) return;
    const reason = reasons.find(Boolean);
    this.values = reason ? {} : last;
    const words = this.words();
    this.told.textContent = reason
      ? `What was named for the last .${ending} is not set: ${reason}.`
      : words && `Set as for the last .${ending}: ${words}.`;
  }

  /** Keep what files were read by, for the next ones. */
  keep(files, values) {
    for (const ending of endings(files)) kept.set(`${this.path} ${ending}`, values);
    this.isKept = true;
  }

  /** Take back what the chosen files were refused with, if it was named for others. */
  refuse() {
    if (!this.isKept || !this.words()) return;
    this.values = {};
    this.told.textContent = "What was named for the last file is not set any more.";
  }

  words() {
    return this.inputs
      .filter(({ value }) => value.trim())
      .map((one) => `${one.labels[0].textContent} ${one.selectedOptions?.[0].label ?? one.value}`)
      .join("; ");
  }
}

function endings(files) {
  return [...new Set(files.map(({ name }) => nameParts(name).extension))];
}

/** Return names that are parted by commas. */
export function names(text) {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
}

/** Return a file in UTF-8 of one in another encoding, or refuse it: nothing must be garbled. */
export async function recoded(file, encoding) {
  const head = await headOf(file);
  const exact = encoding === "utf-16" ? utf16Of(head) : encoding;
  const marked = markOf(head);
  if (exact === null || (marked && marked !== exact)) throw notIn(encoding);
  const decoder = new TextDecoder(exact, { fatal: true });
  const reader = file.stream().getReader();
  const parts = [];
  for (let read; !(read = await reader.read()).done; ) {
    parts.push(new Blob([decoded(decoder, encoding, read.value)]));
  }
  parts.push(decoded(decoder, encoding));
  return new File(parts, file.name);
}

const headOf = async (file) => new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());

/** Return the next part of a text, or what is left at its end. */
function decoded(decoder, encoding, bytes) {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined });
  } catch {
    throw notIn(encoding);
  }
}

function notIn(encoding) {
  const { [encoding]: name } = Object.fromEntries(ENCODINGS);
  return new Problem(422, {
    detail: `The file is not in ${name}: choose its encoding under “Columns and encoding”.`,
  });
}

/** Return the encoding that the first bytes of a text name, if they name one. */
function markOf(bytes) {
  return Object.keys(MARKS).find((one) => MARKS[one].every((byte, i) => bytes[i] === byte));
}

/** Return UTF-16 with the order of its bytes; null for what is not in it, or does not tell that. */
function utf16Of(bytes) {
  const marked = markOf(bytes);
  if (marked) return marked === "utf-8" ? null : marked;
  for (const usual of USUAL) {
    const [little, big] = ["utf-16le", "utf-16be"].map(
      (order) => new TextDecoder(order).decode(bytes).match(usual)?.length ?? 0,
    );
    if (little !== big) return little > big ? "utf-16le" : "utf-16be";
  }
  return bytes.length ? null : "utf-16le";
}

/** Return why a file cannot be read so, as far as its beginning tells; what is packed tells nothing. */
async function whyNot(file, { text_column, id_column, delimiter, encoding }) {
  const { extension, packing } = nameParts(file.name);
  if (packing) return null;
  const bytes = await headOf(file);
  if (encoding && !isIn(bytes, encoding)) return `${file.name} is in another encoding`;
  const exact = encoding === "utf-16" ? utf16Of(bytes) : encoding;
  const head = new TextDecoder(exact || "utf-8").decode(bytes).trimStart();
  const texts = names(text_column);
  let columns;
  if (["csv", "tsv"].includes(extension)) {
    columns = headings(head, SIGNS[delimiter || (extension === "tsv" ? "tab" : "comma")]);
    if (!texts.length) texts.push("text");
  } else if (["ndjson", "jsonl"].includes(extension)) {
    columns = fieldNames(head.split("\n")[0]);
    // A line may lack some of them.
    if (texts.some((name) => columns?.includes(name))) texts.length = 0;
  }
  const missing = columns && [...texts, id_column].find((name) => name && !columns.includes(name));
  return missing ? `${file.name} has no column “${missing}”` : null;
}

/** Tell whether bytes can be in an encoding that is not UTF-8. */
function isIn(bytes, encoding) {
  if (encoding === "utf-16") return utf16Of(bytes) !== null;
  if (bytes.every((byte) => byte < 128)) return true;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return false;
  } catch {
    return true;
  }
}

/** Return the names of the columns of a CSV. */
function headings(text, sign) {
  const cell = new RegExp(`("(?:[^"]|"")*"|[^\\${sign}\\r\\n]*)(\\${sign}|[^]?)`, "y");
  const found = [];
  let end = sign;
  while (end === sign) {
    const [, name, next] = cell.exec(text);
    found.push(name.replaceAll(/^"|"$/g, "").replaceAll('""', '"').trim());
    end = next;
  }
  return found;
}

function fieldNames(line) {
  try {
    return Object.keys(JSON.parse(line));
  } catch {
    return null;
  }
}
