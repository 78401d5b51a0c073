export const PHOTO_TOO_LARGE = 'This photo is larger than 10 MB.';
