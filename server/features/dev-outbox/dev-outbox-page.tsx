import type { ListedMessage, MessageKind } from './dev-outbox-files.ts';
import { SendMailForm, type RefusedMail } from './send-email-form.tsx';
import { SendTextForm, type RefusedText } from './send-sms-form.tsx';

/** For how long an answer is waited for. */
const ANSWER_MS = 30_000;

export type OutboxPageProps = {
  kinds: readonly MessageKind[];
  messages: readonly ListedMessage[];
  /** The product's number, where a text can be sent to it from here. */
  phoneNumber: string | null;
  /** The id of the text that was just sent. */
  sentId?: string | null;
  refused?: RefusedText;
  /** Behind the @ of accounts' addresses for photos, where a mail can be sent to them from here. */
  inboundDomain: string | null;
  /** Whether a mail was just sent. */
  isMailed?: boolean;
  refusedMail?: RefusedMail;
};

export function OutboxPage(props: OutboxPageProps) {
  const { kinds, messages, phoneNumber, sentId, refused, inboundDomain, isMailed, refusedMail } = props;
  const answered = messages.some(
    (each) => each.kind === 'text' && isAnswerTo(each, findSent(messages, sentId)),
  );
  return (
    <>
      <h1>Outbox</h1>
      <p className="muted">
        No provider is set up for {kinds.map((kind) => KIND_NAMES[kind]).join(' and ')}, so they are kept
        here.
      </p>
      {phoneNumber && (
        <SendTextForm phoneNumber={phoneNumber} suggestedNumber={numberOf(messages)} refused={refused} />
      )}
      {inboundDomain && <SendMailForm inboundDomain={inboundDomain} refused={refusedMail} />}
      {isMailed && (
        <p className="notice" role="status">
          Your email was sent. The reply will appear here in a moment.
        </p>
      )}
      {findSent(messages, sentId) && (
        <p className="notice" role="status">
          {answered
            ? 'Your text was sent, and answered:'
            : 'Your text was sent. The reply will appear here in a moment.'}
        </p>
      )}
      {messages.length === 0 && <p>Nothing yet. Sent messages will appear here.</p>}
      <ol className="mails">
        {messages.map((message) => (
          <li key={message.id} className={message.kind === 'received' ? 'received' : undefined}>
            <Headline message={message} />
            <br />
            <span className="muted">
              {whose(message)},{' '}
              <span className="time">
                {message.writtenAt.toISOString().slice(0, 16).replace('T', ' ')} UTC
              </span>
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

/** Whether the page should be looked at again in a moment: what was just sent has no answer yet. */
export function isWaiting(messages: readonly ListedMessage[], sentId: string | null, now: Date): boolean {
  const sent = findSent(messages, sentId);
  if (!sent || now.getTime() - sent.writtenAt.getTime() > ANSWER_MS) return false;
  return !messages.some((each) => isAnswerTo(each, sent));
}

type Received = Extract<ListedMessage, { kind: 'received' }>;

function findSent(messages: readonly ListedMessage[], id: string | null | undefined): Received | undefined {
  return messages.find((each): each is Received => each.kind === 'received' && each.id === id);
}

function isAnswerTo(message: ListedMessage, sent: Received | undefined): boolean {
  return message.kind === 'text' && message.to === sent?.from && message.writtenAt >= sent.writtenAt;
}

/** Whoever was texted last is most likely to text. */
function numberOf(messages: readonly ListedMessage[]): string {
  const newest = messages.find((each) => each.kind !== 'mail');
  if (!newest) return '';
  return newest.kind === 'text' ? newest.to : newest.from;
}

const KIND_NAMES: Record<MessageKind, string> = { mail: 'emails', text: 'texts' };

/** A text is short enough to be read here. */
function Headline({ message }: { message: ListedMessage }) {
  if (message.kind !== 'mail') return message.text || '(no text)';
  return <a href={`/dev/outbox/${message.id}`}>{message.subject || '(no subject)'}</a>;
}

function whose(message: ListedMessage): string {
  if (message.kind !== 'received') return `to ${message.to}`;
  const photos = message.photoCount === 1 ? '1 photo' : `${message.photoCount} photos`;
  return `from ${message.from}${message.photoCount > 0 ? `, with ${photos}` : ''}`;
}
