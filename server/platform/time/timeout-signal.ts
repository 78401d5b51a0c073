/**
 * Aborts after a time, or when one of the other signals does. With AbortSignal.any the garbage collector may take an
 * AbortSignal.timeout before it fires: https://github.com/nodejs/node/issues/57736
 */
export function timeoutSignal(ms: number, ...others: AbortSignal[]): AbortSignal {
  const controller = new AbortController();
  const { signal } = controller;
  // The timer refers to the controller, and so keeps it.
  const timer = setTimeout(
    () => controller.abort(new DOMException('The operation timed out', 'TimeoutError')),
    ms,
  ).unref();
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  for (const other of others) {
    const abort = () => controller.abort(other.reason);
    if (other.aborted) abort();
    else other.addEventListener('abort', abort, { once: true, signal });
  }
  return signal;
}
