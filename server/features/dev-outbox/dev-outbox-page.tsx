import type { ListedMessage, MessageKind } from './dev-outbox-files.ts';
import { EmailForm, SmsForm, type RejectedForm } from './test-message-forms.tsx';

const REPLY_TIMEOUT_MS = 30_000;

export type OutboxPageProps = {
  kinds: readonly MessageKind[];
  messages: readonly ListedMessage[];
  /** The product's number; null when test SMS cannot be sent. */
  phoneNumber: string | null;
  sentId?: string | null;
  rejectedSms?: RejectedForm;
  /** The domain of the accounts' addresses for photos; null when test email cannot be sent. */
  inboundDomain: string | null;
  isEmailSent?: boolean;
  rejectedEmail?: RejectedForm;
};

export function OutboxPage(props: OutboxPageProps) {
  const { kinds, messages, phoneNumber, sentId, rejectedSms, inboundDomain, isEmailSent, rejectedEmail } =
    props;
  const sent = findSent(messages, sentId);
  const isAnswered = messages.some((each) => isReplyTo(each, sent));
  return (
    <>
      <h1>Outbox</h1>
      <p className="muted">
        No provider is set up for {kinds.map((kind) => KIND_NAMES[kind]).join(' and ')}, so they are stored
        here.
      </p>
      {phoneNumber && (
        <SmsForm phoneNumber={phoneNumber} suggestedNumber={lastNumber(messages)} rejected={rejectedSms} />
      )}
      {inboundDomain && <EmailForm inboundDomain={inboundDomain} rejected={rejectedEmail} />}
      {isEmailSent && (
        <p className="notice" role="status">
          Your email was sent. The reply will appear here in a moment.
        </p>
      )}
      {sent && (
        <p className="notice" role="status">
          {isAnswered
            ? 'Your text was sent, and answered:'
            : 'Your text was sent. The reply will appear here in a moment.'}
        </p>
      )}
      {messages.length === 0 && <p>Nothing yet. Sent messages will appear here.</p>}
      <ol className="messages">
        {messages.map((message) => (
          <li key={message.id} className={message.kind === 'received' ? 'received' : undefined}>
            <Headline message={message} />
            <br />
            <span className="muted">
              {formatCorrespondent(message)},{' '}
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

export function isAwaitingReply(
  messages: readonly ListedMessage[],
  sentId: string | null | undefined,
  now: Date,
): boolean {
  const sent = findSent(messages, sentId);
  if (!sent || now.getTime() - sent.writtenAt.getTime() > REPLY_TIMEOUT_MS) return false;
  return !messages.some((each) => isReplyTo(each, sent));
}

type ReceivedMessage = Extract<ListedMessage, { kind: 'received' }>;

function findSent(
  messages: readonly ListedMessage[],
  id: string | null | undefined,
): ReceivedMessage | undefined {
  return messages.find((each): each is ReceivedMessage => each.kind === 'received' && each.id === id);
}

function isReplyTo(message: ListedMessage, sent: ReceivedMessage | undefined): boolean {
  return message.kind === 'sms' && message.to === sent?.from && message.writtenAt >= sent.writtenAt;
}

function lastNumber(messages: readonly ListedMessage[]): string {
  const newest = messages.find((each) => each.kind !== 'email');
  if (!newest) return '';
  return newest.kind === 'sms' ? newest.to : newest.from;
}

const KIND_NAMES: Record<MessageKind, string> = { email: 'emails', sms: 'texts' };

function Headline({ message }: { message: ListedMessage }) {
  if (message.kind !== 'email') return message.text || '(no text)';
  return <a href={`/dev/outbox/${message.id}`}>{message.subject || '(no subject)'}</a>;
}

function formatCorrespondent(message: ListedMessage): string {
  if (message.kind !== 'received') return `to ${message.to}`;
  const photos = message.photoCount === 1 ? '1 photo' : `${message.photoCount} photos`;
  return `from ${message.from}${message.photoCount > 0 ? `, with ${photos}` : ''}`;
}
