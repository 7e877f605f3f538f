// The page that reports are made of, as `npm run build` in report/ made it. The assembler puts it into the program.
#include "view/report_page.h"

__asm__(".section .rodata\n"
        ".global zn_report_page_start\n"
        ".hidden zn_report_page_start\n"
        "zn_report_page_start:\n"
        ".incbin \"" ZN_REPORT_PAGE "\"\n"
        ".global zn_report_page_end\n"
        ".hidden zn_report_page_end\n"
        "zn_report_page_end:\n"
        ".byte 0\n"
        ".previous\n");

extern const char zn_report_page_start[], zn_report_page_end[];

const char *zn_report_page(size_t *size)
{
    *size = (size_t)(zn_report_page_end - zn_report_page_start);
    return zn_report_page_start;
}
