import type { AppError } from '../../platform/errors.ts';
import { FormProblem } from './form-error.tsx';
import { MAIL_MAX_LENGTH } from './send-test-email.ts';

/** What was to be sent, and why it was not. */
export type RefusedMail = { from: string; to: string; subject: string; text: string; error: AppError };

type SendMailFormProps = { inboundDomain: string; refused: RefusedMail | undefined };

/** A mail from a mail program, for whoever has none that could reach this machine. */
export function SendMailForm({ inboundDomain, refused }: SendMailFormProps) {
  const problems = refused?.error.details.fields ?? {};
  const isElsewhere = refused && !['from', 'to', 'text', 'photos'].some((name) => name in problems);
  const field = (name: 'from' | 'to' | 'subject' | 'text' | 'photos') => ({
    id: `mail-${name}`,
    name,
    ...(name !== 'photos' && { defaultValue: refused?.[name] ?? '' }),
    ...(name in problems && { 'aria-invalid': true, 'aria-describedby': `mail-${name}-problem` }),
  });
  const problem = (name: string) => <FormProblem id={`mail-${name}-problem`} text={problems[name]} />;
  return (
    <details className="compose" open={Boolean(refused)}>
      <summary>Send a test email</summary>
      <form method="post" action="/dev/mails" encType="multipart/form-data">
        <p className="muted">Arrives like an email from the sender’s mail server, with its signature.</p>
        {isElsewhere && <FormProblem id="mail-problem" text={refused.error.message} />}
        <div className="field">
          <label htmlFor="mail-from">From</label>
          <input {...field('from')} type="email" placeholder="you@home.example" maxLength={254} />
          {problem('from')}
        </div>
        <div className="field">
          <label htmlFor="mail-to">To</label>
          <input {...field('to')} type="email" placeholder={`…@${inboundDomain}`} maxLength={254} />
          {problem('to')}
          <p className="muted">An account’s own address for photos.</p>
        </div>
        <div className="field">
          <label htmlFor="mail-subject">Subject</label>
          <input {...field('subject')} placeholder="PetName: Caption" maxLength={1000} />
          {problem('subject')}
        </div>
        <div className="field">
          <label htmlFor="mail-text">Text</label>
          <textarea {...field('text')} rows={2} maxLength={MAIL_MAX_LENGTH} />
          {problem('text')}
        </div>
        <div className="field">
          <label htmlFor="mail-photos">Photos</label>
          <input {...field('photos')} type="file" multiple />
          {problem('photos')}
        </div>
        <button>Send email</button>
      </form>
    </details>
  );
}
