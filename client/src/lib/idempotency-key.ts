/**
 * Names what a form sends, so that sending it twice makes one thing: by a double click, or again after an answer was
 * lost. The same content keeps its key until it has succeeded; a corrected one is another thing, and gets another.
 */
export class IdempotencyKey {
  #last: { content: string; key: string } | null = null;

  for(sent: FormData | object): string {
    const content = JSON.stringify(sent instanceof FormData ? toComparable(sent) : sent);
    if (this.#last?.content !== content) this.#last = { content, key: randomKey() };
    return this.#last.key;
  }

  /** It was made: the same again is meant to be another one. */
  reset(): void {
    this.#last = null;
  }
}

/** A file stands for itself by what tells it from another one. */
function toComparable(form: FormData): unknown[] {
  return [...form].map(([name, value]) =>
    typeof value === 'string'
      ? [name, value]
      : [name, value.name, value.size, value.lastModified, value.type],
  );
}

/** Over plain http browsers have no `crypto.randomUUID`. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
