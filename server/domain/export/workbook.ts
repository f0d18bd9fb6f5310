// An XLSX workbook of one sheet around rows that PostgreSQL has written as XML.
import { zip } from './zip.ts';

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaged = 'http://schemas.openxmlformats.org/package/2006';

const escaped = (text: string): string =>
  // eslint-disable-next-line no-control-regex
  text
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
    .replace(
      /[&<>"]/g,
      (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character] as string,
    );

/** Some characters are not allowed in it, and no more than 31 of the others. */
const sheetName = (name: string): string =>
  escaped(
    [...name.replace(/[\\/?*:[\]]/g, ' ')]
      .slice(0, 31)
      .join('')
      .trim()
      .replace(/^'+|'+$/g, '') || 'Table',
  );

/** Styles 1 and 2 are dates without and with a time; 3 is the row of names. */
const styles = `<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts><fonts count="2"><font/><font><b/></font></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>`;

async function* text(body: string): AsyncGenerator<Buffer> {
  yield Buffer.from(declaration + body);
}

export const headerRow = (names: readonly string[]): string =>
  `<row>${names.map((name) => `<c t="inlineStr" s="3"><is><t xml:space="preserve">${escaped(name)}</t></is></c>`).join('')}</row>`;

async function* sheet(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield Buffer.from(
    `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`,
  );
  yield* rows;
  yield Buffer.from('</sheetData></worksheet>');
}

/** `rows` are `<row>…</row>`, in pieces. */
export const workbook = (name: string, rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> =>
  zip([
    {
      name: '[Content_Types].xml',
      body: text(
        `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
      ),
    },
    {
      name: '_rels/.rels',
      body: text(
        `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
      ),
    },
    {
      name: 'xl/workbook.xml',
      body: text(
        `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="${sheetName(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      ),
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      body: text(
        `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
      ),
    },
    { name: 'xl/styles.xml', body: text(styles) },
    { name: 'xl/worksheets/sheet1.xml', body: sheet(rows) },
  ]);
