# Makes a C array of a binary: SYMBOL and SYMBOL_size in OUTPUT, of the bytes of INPUT.
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "((0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,))" "\\1\n" bytes
       "${bytes}")
file(WRITE ${OUTPUT}
     "#include <stddef.h>\n#include <stdint.h>\n"
     "extern const uint8_t ${SYMBOL}[];\nextern const size_t ${SYMBOL}_size;\n"
     "const uint8_t ${SYMBOL}[] = {\n${bytes}};\n"
     "const size_t ${SYMBOL}_size = sizeof ${SYMBOL};\n")
