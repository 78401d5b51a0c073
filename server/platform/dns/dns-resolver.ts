/** The domain name system, as far as it says who may send mail. */
export type DnsResolver = {
  /** What Node's own `resolve` answers and throws: `ENOTFOUND`, `ENODATA`, `ETIMEOUT`, … */
  resolve(name: string, type: string): Promise<unknown[]>;
};
