declare module 'libheif-js/libheif-wasm/libheif-bundle.mjs' {
  interface HeifImage {
    is_primary(): boolean;
    get_width(): number;
    get_height(): number;
    /** Writes RGBA into the target; the callback gets null on error. */
    display(target: ImageData, done: (target: ImageData | null) => void): void;
  }
  const libheif: () => { HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] } };
  export { libheif as default };
}
