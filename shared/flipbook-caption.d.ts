/** The display sizes of captions at the book's own page size, in pixels on the screen and points in the PDF. */
export declare const CAPTION_SIZES: {
    readonly large: {
        readonly size: 44;
        readonly maxLines: 4;
        readonly charactersPerLine: 17;
    };
    readonly middle: {
        readonly size: 32;
        readonly maxLines: 6;
        readonly charactersPerLine: 24;
    };
    readonly small: {
        readonly size: 22;
        readonly maxLines: 12;
        readonly charactersPerLine: 36;
    };
};
export type CaptionSize = keyof typeof CAPTION_SIZES;
/** The largest size of which a caption fills few lines; null for long captions, which are set as running text. */
export declare function captionSize(caption: string): CaptionSize | null;
