/* The text of coverage_page.css, see embed.cmake. */
#ifndef WI_REPORT_FORMATS_COVERAGE_PAGE_H_
#define WI_REPORT_FORMATS_COVERAGE_PAGE_H_

extern const char wi_coverage_page_css[];

#endif /* WI_REPORT_FORMATS_COVERAGE_PAGE_H_ */
