// A picture of a report, for the documents: node picture.mjs PAGE PICTURE
import { browser, withPage } from './support.mjs';
import { waitForReport } from './report_page.mjs';

const [report, picture] = process.argv.slice(2);
await withPage(report, async (page) => {
  await waitForReport(page);
  await page.screenshot({ path: picture });
}, { viewport: { width: 1200, height: 720 } });
await browser.close();
