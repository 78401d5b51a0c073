/** Stays the same for the same content until a request succeeds, so that a double click or a retry creates one record. */
export class IdempotencyKey {
  #last: { content: string; key: string } | null = null;

  for(sent: FormData | object): string {
    const content = JSON.stringify(sent instanceof FormData ? toComparable(sent) : sent);
    if (this.#last?.content !== content) this.#last = { content, key: randomKey() };
    return this.#last.key;
  }

  /** After a success: the same content then creates another record. */
  reset(): void {
    this.#last = null;
  }
}

/** Files are compared by their metadata. */
function toComparable(form: FormData): unknown[] {
  return [...form].map(([name, value]) =>
    typeof value === 'string'
      ? [name, value]
      : [name, value.name, value.size, value.lastModified, value.type],
  );
}

/** `crypto.randomUUID` is not available over plain HTTP. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
