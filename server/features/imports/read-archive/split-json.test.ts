import { describe, expect, it } from 'vitest';
import { splitJson, type JsonPart } from './split-json.ts';

const VALUE = {
  format: 'x, "y": [1]',
  version: 1,
  user: { names: ['a', 'b\\"}'], nested: { list: [[], [{}]] } },
  empty: [],
  pets: [{ name: 'R{e}x]' }, { name: 'back\\slash\\' }, 3, 'text, with ] and }', null, [1, [2]]],
  last: null,
};

// eslint-disable-next-line @typescript-eslint/require-await
async function* toChunks(...texts: string[]): AsyncGenerator<string> {
  yield* texts;
}

async function split(...texts: string[]): Promise<JsonPart[]> {
  const parts: JsonPart[] = [];
  for await (const part of splitJson(toChunks(...texts))) parts.push(part);
  return parts;
}

/** The object that the parts come from. */
function join(parts: JsonPart[]): object {
  const members: Record<string, unknown> = {};
  for (const { key, isItem, text } of parts) {
    const value: unknown = JSON.parse(text);
    if (isItem) members[key] = [...((members[key] ?? []) as unknown[]), value];
    else members[key] = value;
  }
  return members;
}

describe('splitJson', () => {
  const { empty: _, ...others } = VALUE;

  it.each([
    ['compact', JSON.stringify(VALUE)],
    ['indented', ` ${JSON.stringify(VALUE, null, 2)}\r\n`],
  ])('returns each member and each item of %s JSON, wherever its chunks end', async (_title, text) => {
    expect(join(await split(...text))).toEqual(others);
    for (let at = 0; at <= text.length; at++)
      expect(join(await split(text.slice(0, at), text.slice(at)))).toEqual(others);
  });

  it('returns nothing of an empty object', async () => {
    expect(await split('{ }')).toEqual([]);
  });

  it.each([
    '',
    '[]',
    '1',
    '"a"',
    '{',
    '{"a":1',
    '{"a":[1',
    '{"a":[1]',
    '{"a":1}}',
    '{"a":1} x',
    '{"a":"',
    '{1:2}',
    '{,}',
    '{"a":[1] x}',
    '{"a":[],,}',
    '{"a":[1],"b"}',
  ])('rejects %j', async (text) => {
    await expect(split(text)).rejects.toThrow(SyntaxError);
  });

  it('rejects an item that does not end', async () => {
    const text = 'x'.repeat(1024 ** 2);
    await expect(split('{"a":["', ...Array.from({ length: 9 }, () => text))).rejects.toThrow('too long');
  });
});
