import { formatCount } from '../../contract/format-count.ts';
import type { Output } from '../../contract.ts';
import { CopyButton } from '../parts/call-as.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { DownloadLink } from '../parts/download-link.tsx';
import { client } from '../parts/session.ts';
import { minuteOf } from '../parts/times.ts';
import type { EntityRef, PersonFacts } from './entity-kinds.ts';

type ErasureProps = {
  entity: EntityRef;
  facts: PersonFacts;
  onErased: (output: Output<'delete_entity'>) => void;
};

/** Erases a person for good, after saying what will be removed. */
export function Erasure({ entity, facts, onErased }: ErasureProps) {
  return (
    <Confirm
      label="Erase"
      title={`Erase ${entity.entity_id}?`}
      confirm="Erase forever"
      keep="Keep it"
      phrase={entity.entity_id}
      onConfirm={async () => onErased(await client.deleteEntity(entity))}
    >
      <h3>What is erased</h3>
      <ul class="preview">
        <li>
          {formatCount(facts.entity?.total_memories ?? 0, 'memory', 'memories')}, shared ones too
        </li>
        <li>{formatCount(facts.changes?.total ?? 0, 'change', 'changes')} in their history</li>
        <li>their ratings and relations, and what requests and webhook deliveries say of them</li>
        <li>exports that may contain them</li>
      </ul>
      <p>
        <strong>This cannot be undone.</strong> You get a receipt that proves it: what was erased,
        how much, and a second look for what is left. It is shown once, to copy or download.
      </p>
      <h3>What stays</h3>
      <ul class="preview">
        <li>what others said, even in the same words</li>
        <li>backups made before, and files that were exported or copied elsewhere</li>
        <li>what was already sent to webhooks or to a language model</li>
        <li>an entry in the audit log, which does not name them</li>
      </ul>
    </Confirm>
  );
}

type ErasureReceiptProps = { entity: EntityRef; output: Output<'delete_entity'> };

/** Shows the receipt, which proves the erasure. It is shown only once, so it can be saved. */
export function ErasureReceipt({ entity, output }: ErasureReceiptProps) {
  const { receipt } = output;
  const text = JSON.stringify({ ...entity, ...output }, null, 2);
  const rows = Object.entries(receipt.removed).filter(([, count]) => count > 0);
  const isClean = Object.keys(receipt.remaining).length === 0;
  return (
    <section class="card receipt" aria-label="Receipt">
      <p role="status">
        Erased forever. {isClean ? 'A second look found nothing left.' : 'Something is left.'}
      </p>
      <p class="quiet">Checked at {minuteOf(receipt.checked_at)}. Not kept: copy or download it.</p>
      <dl class="facts wide-facts">
        {rows.map(([name, count]) => (
          <div key={name}>
            <dt>{name.replaceAll('_', ' ')}</dt>
            <dd>{count.toLocaleString('en')}</dd>
          </div>
        ))}
      </dl>
      {receipt.outside.length > 0 && (
        <>
          <h3>Out of reach</h3>
          <ul class="preview">
            {receipt.outside.map((what) => (
              <li key={what}>{what}</li>
            ))}
          </ul>
        </>
      )}
      <div class="bar">
        <CopyButton text={text} />
        <DownloadLink text={text} name="erasure-receipt.json" />
      </div>
    </section>
  );
}
