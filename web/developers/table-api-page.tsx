import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ArrowLeft, BookOpen } from 'lucide-react';
import { useState } from 'react';
import { fieldsQuery } from '../record-data/queries.ts';
import { classNames } from '../ui/class-names.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Loading } from '../ui/loading.tsx';
import { Page } from '../frame/page.tsx';
import { Section } from '../ui/section.tsx';
import { FieldTable } from './field-table.tsx';
import { examplesFor, type Language, languages } from './requests.ts';

export const TableApiPage = () => {
  const { baseId, tableId } = useParams({ from: '/signed-in/base/$baseId/$tableId/api' });
  const fields = useQuery(fieldsQuery(tableId)).data;
  const [language, setLanguage] = useState<Language>('curl');
  if (fields === undefined) return <Loading />;
  return (
    <Page
      title="API of this table"
      lead={
        <>
          Set <code className="font-mono text-[13px]">ROWHOUSE_TOKEN</code> to an{' '}
          <Link to="/account/tokens" className="text-accent underline underline-offset-4">
            access token
          </Link>
          , then copy a request.
        </>
      }
      actions={
        <a
          href="/api/docs"
          target="_blank"
          rel="noreferrer"
          className="flex items-center gap-1.5 font-medium text-accent underline-offset-4 hover:underline"
        >
          <BookOpen size={16} aria-hidden /> API reference
        </a>
      }
    >
      <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
        <Link
          to="/base/$baseId/$tableId"
          params={{ baseId, tableId }}
          className="flex items-center gap-1.5 text-ink-soft hover:text-ink"
        >
          <ArrowLeft size={16} aria-hidden /> Back to the table
        </Link>
        <div role="radiogroup" aria-label="Language" className="flex rounded-lg border border-line bg-surface p-0.5">
          {languages.map(({ key, label }) => (
            <button
              key={key}
              type="button"
              role="radio"
              aria-checked={language === key}
              onClick={() => setLanguage(key)}
              className={classNames(
                'rounded-md px-3 py-1 font-medium',
                language === key ? 'bg-accent-soft text-accent' : 'text-ink-soft',
              )}
            >
              {label}
            </button>
          ))}
        </div>
      </div>
      <div className="flex flex-col gap-5">
        {examplesFor(window.location.origin, tableId, fields).map((example) => (
          <Section
            key={example.title}
            title={example.title}
            lead={example.lead}
            actions={<CopyButton text={example.code[language]} />}
          >
            <pre
              tabIndex={0}
              aria-label={`${example.title} as ${language}`}
              className="overflow-x-auto rounded-lg bg-sunken p-4 font-mono text-[12.5px] leading-5"
            >
              {example.code[language]}
            </pre>
          </Section>
        ))}
        <FieldTable tableId={tableId} fields={fields} />
      </div>
    </Page>
  );
};
