/** A promise and the Node-style callback that resolves or rejects it. */
export function deferred<T = void>() {
  let done!: (error: unknown, result?: T) => void;
  const promise = new Promise<T>((resolve, reject) => {
    done = (error, result) => (error ? reject(toError(error)) : resolve(result as T));
  });
  return { promise, done };
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
