#include "report/exporters.h"
#include "report/function_table.h"
#include "report/summary.h"

#define DEFAULT_ROW_LIMIT 50u

static int text_width(const char *text) {
  int width = 0;
  for (; *text != 0; text++)
    width += (*text & 0xC0) != 0x80; /* every byte but UTF-8 continuations */
  return width;
}

static int column_width(const wasm_perf_function_table *table,
                        const wasm_perf_function_column *column) {
  int widest = text_width(column->heading);
  for (uint32_t i = 0; i < table->shown_count; i++) {
    int width = text_width(column->format(table, &table->rows[i]).text);
    widest = width > widest ? width : widest;
  }
  return widest;
}

/* Headings and cells are aligned to the right. */
static void write_cell(int width, const char *text, FILE *stream) {
  fprintf(stream, "%*s%s  ", width - text_width(text), "", text);
}

static void write_table(const wasm_perf_function_table *table, FILE *stream) {
  int widths[WASM_PERF_FUNCTION_TABLE_MAX_COLUMNS];
  fputc('\n', stream);
  for (unsigned c = 0; c < table->column_count; c++) {
    widths[c] = column_width(table, &table->columns[c]);
    write_cell(widths[c], table->columns[c].heading, stream);
  }
  fputs("function\n", stream);
  for (uint32_t i = 0; i < table->shown_count; i++) {
    const wasm_perf_row *row = &table->rows[i];
    for (unsigned c = 0; c < table->column_count; c++)
      write_cell(widths[c], table->columns[c].format(table, row).text, stream);
    fprintf(stream, "%s\n", wasm_perf_tree_text(table->tree, row->label));
  }
}

bool wasm_perf_top_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                         FILE *stream) {
  uint32_t row_limit = options && options->row_limit ? options->row_limit : DEFAULT_ROW_LIMIT;
  wasm_perf_function_table table;
  if (!wasm_perf_function_table_init(&table, profile, row_limit))
    return false;
  wasm_perf_summary summary;
  wasm_perf_summary_init(&summary, profile, table.tree);
  for (unsigned i = 0; i < summary.line_count; i++)
    fprintf(stream, "%s\n", summary.lines[i]);
  if (table.row_count > 0)
    write_table(&table, stream);
  if (table.shown_count < table.row_count)
    fprintf(stream, "\n%s\n", wasm_perf_remainder_of(&table).text);
  wasm_perf_function_table_clear(&table);
  return fflush(stream) == 0 && !ferror(stream);
}
