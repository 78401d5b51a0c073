import { formatPhoneNumber } from '#shared/text/phone';

/** How to add photos by SMS. Renders nothing if the product has no number. */
export function SmsInstructions({ productNumber }: { productNumber: string | null | undefined }) {
  if (!productNumber) return null;
  return (
    <section aria-labelledby="text-photos" className="space-y-4 border-y border-hairline py-8">
      <h2 id="text-photos" className="text-title">
        Text your photos
      </h2>
      <p>
        Send photos by picture message (MMS) to{' '}
        <a
          href={`sms:${productNumber}`}
          className="font-semibold whitespace-nowrap underline decoration-hairline decoration-2 underline-offset-4 hover:decoration-accent"
        >
          {formatPhoneNumber(productNumber)}
        </a>
        . Photos are added automatically.
      </p>
      <dl className="space-y-3">
        <div>
          <dt className="font-semibold">PetName: Caption</dt>
          <dd className="text-muted">For example “Rex: First snow”, with up to ten photos.</dd>
        </div>
        <div>
          <dt className="font-semibold">Just the photo</dt>
          <dd className="text-muted">It is added without a caption.</dd>
        </div>
      </dl>
    </section>
  );
}
