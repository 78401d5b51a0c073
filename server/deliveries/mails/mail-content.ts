/** What is written, in all three forms. */
export type MailContent = { subject: string; html: string; text: string };

/** A photo in a mail. All texts are as their owner wrote them. */
export type MailedPhoto = {
  /** Names the picture within the mail. */
  cid: string;
  width: number;
  height: number;
  caption: string | null;
  petName: string | null;
  /** In words, in the owner's zone: `Sunday, March 1, 2026`. */
  when: string;
  /** The page of this one photo. */
  url: string;
};

export type MailLinks = { stop: string; preferences: string };
