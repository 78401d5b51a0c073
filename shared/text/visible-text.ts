/** A letter, a digit or a symbol. Of these, only the fillers and the empty Braille cell show nothing. */
const VISIBLE = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}\p{Co}]/u;

/** Whether a name is more than spaces, joiners, direction marks and the like. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}
