/** A member of the object: `text` is JSON, of an item if the member is a list. */
export type JsonPart = { key: string; isItem: boolean; text: string };

/** An item has texts of up to 250 KB, in which each character may be escaped. */
const MAX_PART_LENGTH = 8 * 1024 ** 2;

/**
 * Splits the text of a JSON object into its members and the items of its lists, so that a large one is never in memory.
 * `JSON.parse` has to check each part. @throws SyntaxError
 */
export async function* splitJson(chunks: AsyncIterable<string>): AsyncGenerator<JsonPart> {
  let state: 'start' | 'object' | 'list' | 'end' = 'start';
  let key: string | null = null;
  let text = '';
  /** Brackets within a part. */
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let isAfterList = false;

  const append = (more: string) => {
    text += more;
    if (text.length > MAX_PART_LENGTH) throw new SyntaxError('A part is too long');
  };
  const takePart = (): JsonPart => {
    if (key === null) throw new SyntaxError('A name is missing');
    const part = { key, isItem: state === 'list', text };
    text = '';
    return part;
  };
  const isBlank = () => text.trim() === '';

  for await (const chunk of chunks) {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const character = chunk[at]!;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (character === '\\') isEscaped = true;
        else if (character === '"') isInString = false;
        continue;
      }
      if (character === '"') {
        if (state === 'start' || state === 'end') throw new SyntaxError('Not an object');
        isInString = true;
        continue;
      }
      if (!'{}[],:'.includes(character)) continue;
      if (depth > 0) {
        if (character === '{' || character === '[') depth++;
        else if (character === '}' || character === ']') depth--;
        continue;
      }
      append(chunk.slice(from, at));
      // Unless it begins or ends a part, it belongs to one.
      from = at + 1;
      if (state === 'start') {
        if (character !== '{' || !isBlank()) throw new SyntaxError('Not an object');
        state = 'object';
        text = '';
      } else if (state === 'end') {
        throw new SyntaxError('Something follows the object');
      } else if (character === ':' && state === 'object' && key === null) {
        const name: unknown = JSON.parse(text);
        if (typeof name !== 'string') throw new SyntaxError('A name is not a text');
        key = name;
        text = '';
      } else if (character === '[' && state === 'object' && key !== null && isBlank()) {
        state = 'list';
        text = '';
      } else if (character === ',') {
        // The items of a list have been returned.
        if (!isAfterList || !isBlank()) yield takePart();
        isAfterList = false;
        if (state === 'object') key = null;
      } else if (character === ']' && state === 'list') {
        if (!isBlank()) yield takePart();
        state = 'object';
        key = null;
        isAfterList = true;
        text = '';
      } else if (character === '}' && state === 'object') {
        if (key !== null || !isBlank()) yield takePart();
        state = 'end';
        text = '';
      } else {
        if (character === '{' || character === '[') depth++;
        from = at;
      }
    }
    append(chunk.slice(from));
  }
  if (state !== 'end' || !isBlank()) throw new SyntaxError('The object does not end');
}
