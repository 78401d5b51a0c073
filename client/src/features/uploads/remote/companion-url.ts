import { REMOTE_PATH } from '#shared/transfers/remote-source';

/** Uppy's client needs an absolute URL. */
export const COMPANION_URL = window.location.origin + REMOTE_PATH;
