// Somebody comes back to the page; another tab, or a command, may have been at work meanwhile.

/** Call an action each time that the page is looked at again, until the signal ends that. */
export function whenSeenAgain(action, signal) {
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
  document.addEventListener("visibilitychange", act, { signal });
  addEventListener("focus", act, { signal });
}
