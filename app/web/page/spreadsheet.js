// A ranking as people read it in a spreadsheet: a column for each field of the metadata.

export const SIGNS = { comma: ",", semicolon: ";", tab: "\t", pipe: "|" };
/** Characters that a cell of a spreadsheet holds, counted in UTF-16. */
export const CELL_LENGTH = 32_767;
export const CUT = "…";
const LINE_END = "\r\n";
// Spreadsheets take text that begins so for a formula; what begins with the mark gets another.
const PROTECTED = /^[=+\-@\t\r\n']/;
// Of what is handed over to the browser at once.
const PART_CHARACTERS = 2 ** 20;

/**
 * Return a CSV of the service with the fields before the column of all metadata, its last one, and
 * of how many rows a cell was cut: spreadsheets let what is too long run over into other cells.
 * It is gone through twice, so that memory holds the names alone: they are known at its end.
 */
export async function forSpreadsheet(csv, delimiter) {
  const sign = SIGNS[delimiter];
  const { fields, isLong } = await lookedThrough(csv, sign);
  if (!fields.length && !isLong) return { content: csv, nCut: 0 };
  const parts = [];
  let part = "";
  let nCut = 0;
  let isHeader = true;
  for await (const record of records(csv)) {
    const { others, last, isCut } = apart(record, sign);
    const cells = isHeader
      ? fields.map((name) => `metadata.${name}`)
      : fields.map(inCell(last ? JSON.parse(last, exact) : {}, delimiter));
    cells.push(last);
    const added = cells.map(fitting);
    if (isCut || added.some((cell, i) => cell !== cells[i])) nCut += 1;
    isHeader = false;
    part += `${others}${added.map((cell) => quoted(cell, sign)).join(sign)}${LINE_END}`;
    if (part.length < PART_CHARACTERS) continue;
    parts.push(new Blob([part]));
    part = "";
  }
  return { content: new Blob([...parts, part]), nCut };
}

/** Return the names of the fields, and whether a cell may be too long. */
async function lookedThrough(csv, sign) {
  const found = new Set();
  let isLong = false;
  let isHeader = true;
  for await (const record of records(csv)) {
    isLong ||= record.length > CELL_LENGTH;
    const { last } = isHeader ? {} : apart(record, sign);
    isHeader = false;
    if (last) for (const name of Object.keys(JSON.parse(last))) found.add(name);
  }
  return { fields: [...found], isLong };
}

/** Yield what stands between line ends that no quotes hold. */
async function* records(csv) {
  const reader = csv.stream().pipeThrough(new TextDecoderStream()).getReader();
  let record = "";
  let isOpen = false;
  let tail = "";
  for (let read; !(read = await reader.read()).done; ) {
    const lines = (tail + read.value).split(LINE_END);
    tail = lines.pop();
    for (const line of lines) {
      record += line;
      isOpen = isOpen !== Boolean(nQuotes(line) % 2);
      if (!isOpen) yield record;
      record = isOpen ? record + LINE_END : "";
    }
  }
}

const nQuotes = (text) => text.split('"').length - 1;

/** Return what stands before the last cell of a record, cut where it must be, and what that holds. */
function apart(record, sign) {
  const mayBeCut = record.length > CELL_LENGTH;
  let others = "";
  let isCut = false;
  let start = 0;
  while (true) {
    const end = endOfCell(record, start, sign);
    if (end === record.length) break;
    const cell = record.slice(start, end);
    const held = mayBeCut ? bare(cell) : "";
    const fits = fitting(held) === held;
    others += (fits ? cell : quoted(fitting(held), sign)) + sign;
    isCut ||= !fits;
    start = end + 1;
  }
  return { others, last: bare(record.slice(start)), isCut };
}

const bare = (cell) =>
  cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;

/** Return a text as a cell of a spreadsheet can hold it. */
function fitting(text) {
  if (text.length <= CELL_LENGTH) return text;
  // No half of a character is left.
  return text.slice(0, CELL_LENGTH - CUT.length).replace(/[\ud800-\udbff]$/, "") + CUT;
}

function endOfCell(record, start, sign) {
  let from = start;
  // Behind the quote that is no half of a pair.
  while (record[from] === '"') from = record.indexOf('"', from + 1) + 1;
  const end = record.indexOf(sign, from);
  return end < 0 ? record.length : end;
}

/** Return large numbers as they are written, where the browser tells: its own are rounded. */
function exact(_, value, told) {
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded ? (told?.source ?? value) : value;
}

/** Return what writes a field of metadata; what is no text stands as JSON. */
function inCell(metadata, delimiter) {
  return (name) => {
    const value = Object.hasOwn(metadata, name) ? metadata[name] : null;
    if (value === null) return "";
    if (typeof value === "string") return PROTECTED.test(value) ? `'${value}` : value;
    // Between semicolons numbers have a comma, as those of the service do.
    const written = JSON.stringify(value);
    const isNumber = typeof value === "number" && delimiter === "semicolon";
    return isNumber ? written.replace(".", ",") : written;
  };
}

function quoted(cell, sign) {
  const needsQuotes = ['"', "\r", "\n", sign].some((one) => cell.includes(one));
  return needsQuotes ? `"${cell.replaceAll('"', '""')}"` : cell;
}
