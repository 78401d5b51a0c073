import { REMOTE_PATH, SESSION_TOKEN } from '#shared/transfers/remote-source';

/** Reports the end of a sign-in to the page that opened this window, and closes it. A file, since the CSP forbids inline. */
export const REPORT_SCRIPT_PATH = `${REMOTE_PATH}/report-sign-in.js`;
export const REPORT_SCRIPT = `const { result } = document.currentScript.dataset;
if (window.opener) {
  window.opener.postMessage({ token: result === 'signed-in' ? '${SESSION_TOKEN}' : null }, window.location.origin);
  window.close();
}
`;

export type SignInResult = 'signed-in' | 'rejected' | 'wrong-address';

interface SignInPageProps {
  vendor: string;
  result: SignInResult;
  appAddress: string;
}

export function SignInPage({ vendor, result, appAddress }: SignInPageProps) {
  return (
    <>
      <h1>
        {result === 'signed-in' ? `You are signed in to ${vendor}` : `You are not signed in to ${vendor}`}
      </h1>
      {result === 'signed-in' && <p>You can close this window and choose a photo.</p>}
      {result === 'rejected' && (
        <p>{vendor} did not let us see your photos. You can close this window and try again.</p>
      )}
      {result === 'wrong-address' && (
        <p>
          {vendor} only works at <a href={appAddress}>{appAddress}</a>. Please close this window and open the
          app there.
        </p>
      )}
      {result !== 'wrong-address' && <script src={REPORT_SCRIPT_PATH} data-result={result} />}
    </>
  );
}
