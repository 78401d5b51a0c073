/** Reading past the end throws a RangeError. */
export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

const CHUNK = 8192;

/** One character for each byte. */
export function latin1(bytes: Uint8Array, start = 0, end = bytes.length): string {
  let text = '';
  for (let from = start; from < end; from += CHUNK)
    text += String.fromCharCode(...bytes.subarray(from, Math.min(end, from + CHUNK)));
  return text;
}
