const GAP_PX = 14;
/** Up to this width it is a phone, where three stand beside each other. */
const PHONE_PX = 480;
/** The two lines below a photo. */
const WORDS_PX = 48;

/** How the tiles stand in a grid of some width. */
interface PickerLayout {
  columns: number;
  tileWidth: number;
  rowHeight: number;
  gap: number;
}

export function layOutPicker(width: number): PickerLayout {
  const narrowest = width < PHONE_PX ? 92 : 148;
  const columns = Math.max(1, Math.floor((width + GAP_PX) / (narrowest + GAP_PX)));
  const tileWidth = Math.max(0, (width - GAP_PX * (columns - 1)) / columns);
  return { columns, tileWidth, rowHeight: Math.round(tileWidth) + WORDS_PX + GAP_PX, gap: GAP_PX };
}
