import type { Body, Meta, Uppy, UppyFile } from '@uppy/core';

export type PhotoUppy = Uppy<Meta, Body>;

export type PhotoFile = UppyFile<Meta, Body>;
/** The server fetches it: the browser has only its preview. */
export type RemotePhoto = Extract<PhotoFile, { isRemote: true }>;
export type LocalPhoto = Exclude<PhotoFile, RemotePhoto>;

/** With extensions, since some browsers leave the type of a HEIC empty. */
export const PHOTO_TYPES = ['image/*', '.heic', '.heif'];
export const SECOND_PHOTO = 'One photo at a time. We used the first one.';
export const ANOTHER_PHOTO = 'One photo at a time. Replace this one to choose another.';
export const NOTICE_MS = 5000;
