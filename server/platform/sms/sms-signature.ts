/** A form as it came in, a field that stands in it more than once with all of its values. */
export type SmsForm = Record<string, string | string[] | undefined>;

/** The proof that a text was brought by the provider itself. */
export type SmsSignature = {
  /** Whether the provider has signed this form for this address. Every field counts, whether it is known or not. */
  isValid(request: { url: string; params: SmsForm; signature: string | undefined }): boolean;
  /** What the provider would sign with: for an installation that is its own provider. */
  sign(request: { url: string; params: SmsForm }): string;
};
