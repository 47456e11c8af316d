/* The constants used from DWARF 2 to 5 and from the GNU and LLVM extensions. */
#ifndef WI_DEBUG_DWARF_CONSTANTS_H_
#define WI_DEBUG_DWARF_CONSTANTS_H_

enum {
  DW_TAG_lexical_block = 0x0b,
  DW_TAG_compile_unit = 0x11,
  DW_TAG_inlined_subroutine = 0x1d,
  DW_TAG_subprogram = 0x2e,
  DW_TAG_namespace = 0x39,
};

enum {
  DW_AT_location = 0x02,
  DW_AT_name = 0x03,
  DW_AT_stmt_list = 0x10,
  DW_AT_low_pc = 0x11,
  DW_AT_high_pc = 0x12,
  DW_AT_string_length = 0x19,
  DW_AT_comp_dir = 0x1b,
  DW_AT_return_addr = 0x2a,
  DW_AT_start_scope = 0x2c,
  DW_AT_abstract_origin = 0x31,
  DW_AT_data_member_location = 0x38,
  DW_AT_decl_file = 0x3a,
  DW_AT_decl_line = 0x3b,
  DW_AT_frame_base = 0x40,
  DW_AT_segment = 0x46,
  DW_AT_specification = 0x47,
  DW_AT_static_link = 0x48,
  DW_AT_use_location = 0x4a,
  DW_AT_vtable_elem_location = 0x4d,
  DW_AT_entry_pc = 0x52,
  DW_AT_ranges = 0x55,
  DW_AT_call_column = 0x57,
  DW_AT_call_file = 0x58,
  DW_AT_call_line = 0x59,
  DW_AT_linkage_name = 0x6e,
  DW_AT_str_offsets_base = 0x72,
  DW_AT_addr_base = 0x73,
  DW_AT_rnglists_base = 0x74,
  DW_AT_loclists_base = 0x8c,
  DW_AT_MIPS_linkage_name = 0x2007,
  DW_AT_GNU_dwo_id = 0x2131,
  DW_AT_GNU_ranges_base = 0x2132,
  DW_AT_GNU_addr_base = 0x2133,
};

/*
 * X(name, number, size of the value): bytes; ADDRESS, REF_ADDR and OFFSET depend on the unit;
 * LEB128; OTHER if the value is not a number.
 */
#define WI_DWARF_FORMS(X)                                                                          \
  X(addr, 0x01, ADDRESS)                                                                           \
  X(block2, 0x03, OTHER)                                                                           \
  X(block4, 0x04, OTHER)                                                                           \
  X(data2, 0x05, 2)                                                                                \
  X(data4, 0x06, 4)                                                                                \
  X(data8, 0x07, 8)                                                                                \
  X(string, 0x08, OTHER)                                                                           \
  X(block, 0x09, OTHER)                                                                            \
  X(block1, 0x0a, OTHER)                                                                           \
  X(data1, 0x0b, 1)                                                                                \
  X(flag, 0x0c, 1)                                                                                 \
  X(sdata, 0x0d, LEB128)                                                                           \
  X(strp, 0x0e, OFFSET)                                                                            \
  X(udata, 0x0f, LEB128)                                                                           \
  X(ref_addr, 0x10, REF_ADDR)                                                                      \
  X(ref1, 0x11, 1)                                                                                 \
  X(ref2, 0x12, 2)                                                                                 \
  X(ref4, 0x13, 4)                                                                                 \
  X(ref8, 0x14, 8)                                                                                 \
  X(ref_udata, 0x15, LEB128)                                                                       \
  X(indirect, 0x16, OTHER)                                                                         \
  X(sec_offset, 0x17, OFFSET)                                                                      \
  X(exprloc, 0x18, OTHER)                                                                          \
  X(flag_present, 0x19, OTHER)                                                                     \
  X(strx, 0x1a, LEB128)                                                                            \
  X(addrx, 0x1b, LEB128)                                                                           \
  X(ref_sup4, 0x1c, 4)                                                                             \
  X(strp_sup, 0x1d, OFFSET)                                                                        \
  X(data16, 0x1e, OTHER)                                                                           \
  X(line_strp, 0x1f, OFFSET)                                                                       \
  X(ref_sig8, 0x20, 8)                                                                             \
  X(implicit_const, 0x21, OTHER)                                                                   \
  X(loclistx, 0x22, LEB128)                                                                        \
  X(rnglistx, 0x23, LEB128)                                                                        \
  X(ref_sup8, 0x24, 8)                                                                             \
  X(strx1, 0x25, 1)                                                                                \
  X(strx2, 0x26, 2)                                                                                \
  X(strx3, 0x27, 3)                                                                                \
  X(strx4, 0x28, 4)                                                                                \
  X(addrx1, 0x29, 1)                                                                               \
  X(addrx2, 0x2a, 2)                                                                               \
  X(addrx3, 0x2b, 3)                                                                               \
  X(addrx4, 0x2c, 4)                                                                               \
  X(GNU_addr_index, 0x1f01, LEB128)                                                                \
  X(GNU_str_index, 0x1f02, LEB128)                                                                 \
  X(GNU_ref_alt, 0x1f20, OFFSET)                                                                   \
  X(GNU_strp_alt, 0x1f21, OFFSET)

enum {
#define WI_DWARF_FORM(name, number, size) DW_FORM_##name = number,
  WI_DWARF_FORMS(WI_DWARF_FORM)
#undef WI_DWARF_FORM
};

enum {
  DW_UT_compile = 1,
  DW_UT_type,
  DW_UT_partial,
  DW_UT_skeleton,
  DW_UT_split_compile,
  DW_UT_split_type
};

enum {
  DW_LNS_extended = 0,
  DW_LNS_copy,
  DW_LNS_advance_pc,
  DW_LNS_advance_line,
  DW_LNS_set_file,
  DW_LNS_set_column,
  DW_LNS_negate_stmt,
  DW_LNS_set_basic_block,
  DW_LNS_const_add_pc,
  DW_LNS_fixed_advance_pc,
};

enum { DW_LNE_end_sequence = 1, DW_LNE_set_address, DW_LNE_define_file, DW_LNE_set_discriminator };

enum { DW_LNCT_path = 1, DW_LNCT_directory_index };

enum {
  DW_RLE_end_of_list,
  DW_RLE_base_addressx,
  DW_RLE_startx_endx,
  DW_RLE_startx_length,
  DW_RLE_offset_pair,
  DW_RLE_base_address,
  DW_RLE_start_end,
  DW_RLE_start_length,
};

enum {
  DW_LLE_end_of_list,
  DW_LLE_base_addressx,
  DW_LLE_startx_endx,
  DW_LLE_startx_length,
  DW_LLE_offset_pair,
  DW_LLE_default_location,
  DW_LLE_base_address,
  DW_LLE_start_end,
  DW_LLE_start_length,
};

#endif /* WI_DEBUG_DWARF_CONSTANTS_H_ */
