// Somebody comes back to the page; another tab, or a command, may have been at work meanwhile.

/** Call an action each time that the page is looked at again, until it shows something else. */
export function whenSeenAgain(action) {
  let isAtWork = false;
  const act = async () => {
    // A tab that comes to the front has both events.
    if (isAtWork || document.visibilityState === "hidden") return;
    isAtWork = true;
    try {
      await action();
    } catch {
      // Nobody asked for it. Whoever asks for more is told.
    } finally {
      isAtWork = false;
    }
  };
  const over = new AbortController();
  document.addEventListener("visibilitychange", act, { signal: over.signal });
  addEventListener("focus", act, { signal: over.signal });
  addEventListener("hashchange", () => over.abort(), { once: true });
}
