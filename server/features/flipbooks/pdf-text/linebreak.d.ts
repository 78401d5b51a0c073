declare module 'linebreak' {
  /** Where lines may or must break, by Unicode's rules (UAX 14). */
  class LineBreaker {
    constructor(text: string);
    nextBreak(): { position: number; required: boolean } | null;
  }
  export = LineBreaker;
}
