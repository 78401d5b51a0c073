import { formatPhoneNumber } from '#shared/phone';
import type { AppError } from '../../platform/errors.ts';
import { FormProblem } from './form-error.tsx';
import { TEXT_MAX_LENGTH, TEXT_MAX_PHOTOS } from './send-test-sms.ts';

/** What was to be sent, and why it was not. */
export type RefusedText = { from: string; text: string; error: AppError };

type SendTextFormProps = {
  phoneNumber: string;
  suggestedNumber: string;
  refused: RefusedText | undefined;
};

/** A text from a phone, for whoever has none at hand. */
export function SendTextForm({ phoneNumber, suggestedNumber, refused }: SendTextFormProps) {
  const problems = refused?.error.details.fields ?? {};
  const { from, text } = refused ?? { from: formatPhoneNumber(suggestedNumber), text: '' };
  const isElsewhere = refused && !['from', 'text', 'photos'].some((name) => name in problems);
  return (
    <details className="compose" open={Boolean(refused)}>
      <summary>Send a test text</summary>
      <form method="post" action="/dev/texts" encType="multipart/form-data">
        <p className="muted">
          Arrives like a text from a phone to <span className="number">{formatPhoneNumber(phoneNumber)}</span>
          .
        </p>
        {isElsewhere && <FormProblem id="problem" text={refused.error.message} />}
        <div className="field">
          <label htmlFor="from">Your phone number</label>
          <input
            id="from"
            name="from"
            type="tel"
            defaultValue={from}
            placeholder="+1 206 555 0123"
            maxLength={50}
            {...described('from', problems)}
          />
          <FormProblem id="from-problem" text={problems['from']} />
        </div>
        <div className="field">
          <label htmlFor="text">Text</label>
          <textarea
            id="text"
            name="text"
            rows={2}
            defaultValue={text}
            placeholder="PetName: Caption"
            maxLength={TEXT_MAX_LENGTH}
            {...described('text', problems)}
          />
          <FormProblem id="text-problem" text={problems['text']} />
        </div>
        <div className="field">
          <label htmlFor="photos">Photos</label>
          <input id="photos" name="photos" type="file" multiple {...described('photos', problems)} />
          <FormProblem id="photos-problem" text={problems['photos']} />
          <p className="muted">
            Up to {TEXT_MAX_PHOTOS}. You can also choose other files, to see how they are rejected.
          </p>
        </div>
        <button>Send text</button>
      </form>
    </details>
  );
}

function described(name: string, problems: Record<string, string>) {
  return name in problems ? { 'aria-invalid': true, 'aria-describedby': `${name}-problem` } : {};
}

/** Beside the styles of all public pages, which have no form like this. */
export const FORM_STYLES = `
.compose { margin: 0 0 2rem; background: var(--print); border-radius: 10px; box-shadow: var(--shadow); }
.compose summary { padding: .75rem 1.25rem; border-radius: 10px; font-weight: 600; cursor: pointer; }
.compose form { display: grid; gap: 1.25rem; padding: 0 1.25rem 1.25rem; }
.compose p { margin: 0; } .compose button { justify-self: start; }
.field label { display: block; min-height: 0; margin-bottom: .25rem; font-weight: 600; }
.field input, .field textarea { display: block; width: 100%; height: auto; min-height: 2.75rem; padding: .5rem .75rem; font: inherit;
  line-height: 1.5; color: inherit; background: var(--paper); border: 1px solid var(--muted); border-radius: 8px; }
.field textarea { resize: vertical; } .field ::placeholder { color: var(--muted); opacity: 1; }
.field input[type=file] { padding: .5rem; }
.field ::file-selector-button { margin-right: .75rem; padding: .25rem .75rem; font: inherit; color: var(--ink); background: var(--print);
  border: 1px solid var(--muted); border-radius: 999px; cursor: pointer; }
.compose .field .muted { margin-top: .25rem; font-size: .875rem; }
.field [aria-invalid] { border-color: var(--accent); border-width: 2px; }
.compose .problem { margin-top: .25rem; color: var(--accent); font-weight: 600; }
.notice { padding: .75rem 1.25rem; border-left: 3px solid var(--accent); background: var(--print); border-radius: 3px; }
ol.mails li.received { padding-left: 1rem; box-shadow: inset 3px 0 var(--accent); }
.number { white-space: nowrap; }
`;
