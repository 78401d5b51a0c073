import type { Config } from './config/config.ts';

/** The origin by which links in emails lead here. */
export type BaseUrl = {
  /** Like `https://mems.example`. */
  origin(): string;
  /** Where the server turned out to be, for an installation that was given no address. */
  announce(origin: string): void;
};

export function createBaseUrl({ http }: Pick<Config, 'http'>): BaseUrl {
  let origin = http.publicUrl ?? `http://localhost:${http.port}`;
  return {
    origin: () => origin,
    announce: (found) => {
      if (!http.publicUrl) origin = found;
    },
  };
}
