/** The part of libheif-js that we use; the package has no types for this entry. */
declare module 'libheif-js/wasm-bundle.js' {
  type Pixels = { data: Uint8ClampedArray; width: number; height: number };
  type HeifImage = {
    is_primary(): boolean;
    get_width(): number;
    get_height(): number;
    display(target: Pixels, done: (shown: Pixels | null) => void): void;
    free(): void;
  };
  const libheif: { HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] } };
  export { libheif as default };
}
