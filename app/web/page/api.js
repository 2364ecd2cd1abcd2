// Requests to the service. Paths are relative, so that the page works below any prefix of a proxy.

import { inPage } from "./words.js";

/** An answer of the service that says what is wrong (RFC 9457). */
export class Problem extends Error {
  constructor(status, body) {
    super(body?.detail ? inPage(body.detail) : `The service answered ${status}.`);
    this.status = status;
    this.code = body?.code;
    this.report = body?.report;
  }
}

export const get = (path, parameters) => ask("GET", path, { parameters });
export const post = (path, body) => ask("POST", path, { body });
export const patch = (path, body) => ask("PATCH", path, { body });
export const put = (path, body) => ask("PUT", path, { body });
export const remove = (path) => ask("DELETE", path);

/** Return what `get` gives, or null where the service says that there is none yet. */
export async function getIfAny(path, parameters) {
  try {
    return await get(path, parameters);
  } catch (error) {
    if (error instanceof Problem && [404, 409].includes(error.status)) return null;
    throw error;
  }
}

/** Return a whole answer as a file in the format that `accept` names. */
export async function download(path, parameters, accept) {
  const response = await answer("GET", path, { parameters, accept });
  return response.blob();
}

async function ask(method, path, options) {
  const response = await answer(method, path, options);
  return response.status === 204 ? null : response.json();
}

async function answer(method, path, { parameters, body, accept = "application/json" } = {}) {
  const headers = { Accept: accept };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(address(path, parameters), {
      method,
      headers,
      body: JSON.stringify(body),
    });
  } catch {
    throw new Problem(0, { detail: "The service does not answer. Is it still running?" });
  }
  if (!response.ok) throw new Problem(response.status, await response.json().catch(() => null));
  return response;
}

// Absolute, for requests may not have the name and the password that the address of the page may.
function address(path, parameters) {
  return new URL(path + query(parameters), location.href);
}

function query(parameters = {}) {
  const pairs = Object.entries(parameters).flatMap(([name, values]) =>
    [values]
      .flat()
      .filter((value) => value !== null && value !== "")
      .map((value) => [name, value]),
  );
  return pairs.length ? `?${new URLSearchParams(pairs)}` : "";
}

export const TYPES = {
  csv: "text/csv",
  json: "application/json",
  jsonl: "application/x-ndjson",
  nbib: "application/nbib",
  ndjson: "application/x-ndjson",
  parquet: "application/vnd.apache.parquet",
  ris: "application/x-research-info-systems",
  tsv: "text/csv",
  txt: "text/plain",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};
const ENCODINGS = { gz: "gzip", zst: "zstd" };
export const EXTENSIONS = [...Object.keys(TYPES), ...Object.keys(ENCODINGS)].map(
  (one) => `.${one}`,
);

/** Return how a name ends, and what that tells the file to be packed with. */
export function nameParts(name) {
  const extensions = name.toLowerCase().split(".").slice(1);
  const packing = ENCODINGS[extensions.at(-1)];
  return { extension: extensions.at(packing ? -2 : -1), packing };
}

/** Send a file and return the report; `onProgress` is told the share that is sent. */
export function upload(path, file, parameters, onProgress, signal) {
  const { extension, packing } = nameParts(file.name);
  const type = TYPES[extension];
  if (!type) {
    const known = Object.keys(TYPES).join(", ");
    throw new Problem(0, {
      detail: `The name of the file must end in one of: ${known}. Save a spreadsheet as .xlsx or CSV, what a reference manager has as RIS, other texts as .txt.`,
    });
  }
  if (signal.aborted) throw cancelled();
  const delimiter = extension === "tsv" ? "tab" : null;
  // fetch() does not tell how much of a body was sent.
  const request = new XMLHttpRequest();
  request.open(
    "POST",
    address(path, { ...parameters, delimiter: parameters.delimiter || delimiter }),
  );
  request.setRequestHeader("Content-Type", type);
  if (packing) request.setRequestHeader("Content-Encoding", packing);
  request.responseType = "json";
  // The browser asks whoever closes the page, for that would end it.
  const over = new AbortController();
  addEventListener("beforeunload", (event) => event.preventDefault(), { signal: over.signal });
  request.onloadend = () => over.abort();
  request.upload.onprogress = (event) => onProgress(event.loaded / event.total);
  return new Promise((resolve, reject) => {
    request.onload = () =>
      request.status < 300
        ? resolve(request.response)
        : reject(new Problem(request.status, request.response));
    request.onerror = () =>
      reject(
        new Problem(0, {
          detail: "The upload broke off. Send the file again: what is there stays.",
        }),
      );
    request.onabort = () => reject(cancelled());
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

function cancelled() {
  return new Problem(0, { detail: "The upload was cancelled. What came before stays." });
}

/**
 * Follow a job until it ends and return it; once the page shows something else, never.
 * `onAway` is called while the service does not answer.
 */
export function follow(jobId, onProgress, signal, onAway = () => {}) {
  if (signal.aborted) return new Promise(() => {});
  const over = new AbortController();
  let events;
  return new Promise((resolve, reject) => {
    const end = (settle, outcome) => {
      over.abort();
      events.close();
      settle(outcome);
    };
    const open = () => {
      events = new EventSource(address(`jobs/${jobId}/events`));
      events.addEventListener("progress", (event) => onProgress(JSON.parse(event.data)));
      events.addEventListener("end", (event) => end(resolve, JSON.parse(event.data)));
      events.onerror = () => {
        // Otherwise the browser connects again by itself.
        if (events.readyState !== EventSource.CLOSED) return onAway();
        const detail = "The job cannot be followed any more. Load the page again.";
        end(reject, new Problem(0, { detail }));
      };
    };
    // A browser keeps few connections to one host: a stream that nobody looks at must not hold one.
    const turn = () => {
      events?.close();
      if (document.visibilityState !== "hidden") open();
    };
    signal.addEventListener("abort", () => events?.close());
    document.addEventListener("visibilitychange", turn, {
      signal: AbortSignal.any([signal, over.signal]),
    });
    turn();
  });
}
