import type { Config } from './config/config.ts';

/** The origin of the links we send. */
export type BaseUrl = {
  origin(): string;
  /** Sets the address the server listens on, which counts if PUBLIC_URL is not set. */
  announce(origin: string): void;
};

export function createBaseUrl({ http }: Pick<Config, 'http'>): BaseUrl {
  let origin = http.publicUrl ?? `http://localhost:${http.port}`;
  return {
    origin: () => origin,
    announce: (address) => {
      if (!http.publicUrl) origin = address;
    },
  };
}
