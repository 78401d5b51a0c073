/** A PNG for all images of the fake server. */
export const PHOTO = Uint8Array.from(
  atob(
    'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAGCAMAAADJ2y/JAAAAA1BMVEWwelzVKU9pAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQImWNgIAcAAAA2AAHjaZSbAAAAAElFTkSuQmCC',
  ),
  (character) => character.charCodeAt(0),
);

/** Its thumbhash. */
export const PLACEHOLDER = '3OcRJYB4d3h/iIeHeEh3eIhw+j2w';
