/** A box of ISO 14496-12. */
export function box(type: string, ...content: Buffer[]): Buffer {
  const bytes = Buffer.concat(content);
  return Buffer.concat([uint32(8 + bytes.length), Buffer.from(type, 'latin1'), bytes]);
}

export function uint32(...values: number[]): Buffer {
  return integers(4, values);
}

export function uint16(...values: number[]): Buffer {
  return integers(2, values);
}

function integers(size: number, values: number[]): Buffer {
  const bytes = Buffer.alloc(size * values.length);
  for (const [index, value] of values.entries()) bytes.writeUIntBE(value, size * index, size);
  return bytes;
}
