/** The messages that the provider has received for the product's number, and keeps. */
export type SmsInbox = {
  /** Those with media, oldest first. @throws SmsUnavailableError */
  listWithMedia(receivedAfter: Date): Promise<ReceivedSms[]>;
};

export type ReceivedSms = {
  receivedAt: Date;
  /** As in the form of its webhook. */
  fields: Record<string, string>;
};
